# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The list of mutants that no test can detect, with a reason each.

An entry is the change by its content, so that it stays true where lines move:

    analyzer/base/did_you_mean.c: least
    - return a < b ? a : b;
    + return a <= b ? a : b;
      The reason, in one or several lines.
"""


class FormatError(Exception):
    """One sentence for the user."""


def read(path):
    """{key of the mutant: reason}"""
    with open(path, encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    found = {}
    for block in blocks:
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if not lines:
            continue
        marks = [line[:2] for line in lines[1:]]
        module, _, function = lines[0].partition(": ")
        if not function or marks[:2] != ["- ", "+ "] or len(marks) < 3 or set(marks[2:]) != {"  "}:
            raise FormatError(f"{path}: not an entry with a reason: {lines[0]}")
        reason = " ".join(line.strip() for line in lines[3:])
        found[module, function, lines[1][2:], lines[2][2:]] = reason
    return found


def entry_of(mutant):
    return f"{mutant.path}: {mutant.function}\n- {mutant.before}\n+ {mutant.after}\n"
