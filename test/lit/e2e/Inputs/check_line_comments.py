# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the counts of a source file with what its comments expect.

    check_line_comments.py SOURCE TRACEFILE

A line that ends with `// N` is to have the count N in the lcov tracefile, one
that ends with `// none` is to be absent from it. Exits with 1 and names the
lines if any differs.
"""
import os
import re
import sys


def expected_counts(path):
    with open(path, encoding="utf-8") as source:
        for number, text in enumerate(source, 1):
            found = re.search(r"// (none|\d+)$", text.rstrip())
            if found:
                yield number, None if found[1] == "none" else int(found[1])


def counts_of(name, tracefile):
    counts = {}
    inside = False
    with open(tracefile, encoding="utf-8") as lines:
        for line in lines:
            key, _, value = line.rstrip().partition(":")
            if key == "SF":
                inside = os.path.basename(value) == name
            elif key == "DA" and inside:
                line_number, count = value.split(",")[:2]
                counts[int(line_number)] = int(count)
    return counts


def main():
    path, tracefile = sys.argv[1:]
    wanted = list(expected_counts(path))
    counts = counts_of(os.path.basename(path), tracefile)
    wrong = [
        f"{path}:{number}: expected {expected}, got {counts.get(number)}"
        for number, expected in wanted
        if counts.get(number) != expected
    ]
    if not wanted:
        wrong = [f"{path}: no comment expects a count"]
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
