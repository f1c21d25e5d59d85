# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare an annotated listing with gcov's listing of the same source.

  compare_gcov.py SOURCE ANNOTATED GCOV

Lines that both count must have equal counts. gcov also counts some labels,
which have no code; they are left out. Prints how many lines were compared;
exits 1 with every difference named.
"""

import re
import sys


def annotated_lines(path):
    counts = {}
    with open(path, encoding="utf-8") as listing:
        for row in listing:
            match = re.match(r"[> ].{15} *(\d+|#####)(?: +\d+)? +(\d+)\|", row)
            if match:
                counts[int(match[2])] = 0 if "#" in match[1] else int(match[1])
    return counts


def gcov_lines(path):
    counts = {}
    with open(path, encoding="utf-8") as listing:
        for row in listing:
            match = re.match(r" *(\d+\*?|#####|=====): *(\d+):", row)
            if match:
                digits = match[1].rstrip("*")
                counts[int(match[2])] = int(digits) if digits.isdigit() else 0
    return counts


def main():
    source, annotated, gcov = sys.argv[1:]
    ours, theirs = annotated_lines(annotated), gcov_lines(gcov)
    both = sorted(set(ours) & set(theirs))
    wrong = [line for line in both if ours[line] != theirs[line]]
    for line in wrong:
        print(f"{source}:{line}: {ours[line]}, but gcov says {theirs[line]}")
    print(f"{len(both)} lines compared, {len(wrong)} differences")
    sys.exit(1 if wrong or len(both) < 20 else 0)


if __name__ == "__main__":
    main()
