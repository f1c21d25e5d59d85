# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print files and functions that are longer than CONTRIBUTING.md allows: check_lengths.py ROOT

Files, headers and functions, of all parts and their tests. Functions are found by their
layout, which is clang-format's.

Exceptions are listed below, with a reason each; one that is no longer needed is printed, too.
"""
import fnmatch
import os
import re
import sys

PARTS = ("analyzer", "bench", "core", "examples", "include", "mpi", "pass", "runtime", "scripts",
         "test", "wrapper")
ENDS = (".c", ".cpp", ".h", ".inc", ".S", ".js", ".py")

# Patterns of "FILE" or "FILE:FUNCTION".
EXCEPTIONS = {
    "test/unit/made_*.h": "modules, all inline: a unit test is one source file",
    "test/lit/*:*": "programs that are compiled and run: their shape is what is tested",
}


def limits(page):
    """The limits of files, headers and functions as the page has them."""
    with open(page, encoding="utf-8") as file:
        found = re.search(r"Files under (\d+) lines, headers under (\d+), functions under (\d+)",
                          file.read())
    return [int(number) for number in found.groups()]


def source_files():
    for part in PARTS:
        for folder, folders, names in os.walk(part):
            folders[:] = [name for name in folders if not name.startswith((".", "build", "node_"))]
            for name in sorted(names):
                if name.endswith(ENDS):
                    yield os.path.join(folder, name)


def head_of(lines, first):
    """The text before the brace that opens a block; or nothing."""
    head = ""
    for line in lines[first - 1:]:
        head += line
        if line.rstrip().endswith("{"):
            return head
        if line.rstrip().endswith(";"):
            break
    return ""


def functions(lines):
    """The name, first line and last line of each function in C or C++: the last beginning before a
    brace alone on a line at the same indentation."""
    starts = {"": 0, "  ": 0}
    for number, line in enumerate(lines, 1):
        indent = re.match(" *", line)[0]
        if indent not in starts:
            continue
        if re.match(r" *[A-Za-z_~]", line) and not line.rstrip().endswith(":"):
            starts[indent] = number
        elif line.rstrip("\n") == indent + "}" and starts[indent]:
            head = re.sub(r"__attribute__\(\(.*?\)\)+", "", head_of(lines, starts[indent]))
            name = re.search(r"([\w:~]+) ?\(", head)
            if name and not re.match(r"\s*(if|for|while|switch|do|else|extern|struct \w+ \{)\b", head):
                yield name[1], starts[indent], number


def too_long(max_file, max_header, max_function):
    for path in source_files():
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
        most = max_header if path.endswith(".h") else max_file
        if len(lines) > most:
            yield path, len(lines)
        if path.endswith((".c", ".cpp", ".h")):
            for name, first, last in functions(lines):
                if last - first + 1 > max_function:
                    yield f"{path}:{name}", last - first + 1


def main(root):
    os.chdir(root)
    needed = set()
    for name, length in too_long(*limits("CONTRIBUTING.md")):
        matching = [pattern for pattern in EXCEPTIONS if fnmatch.fnmatchcase(name, pattern)]
        needed.update(matching)
        if not matching:
            print(f"{name}: {length} lines")
    for pattern in EXCEPTIONS:
        if pattern not in needed:
            print(f"{pattern}: an exception that nothing needs")


if __name__ == "__main__":
    main(sys.argv[1])
