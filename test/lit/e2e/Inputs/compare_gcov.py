# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare our counts of lines with gcov's listing of the same source.

  compare_gcov.py [--complete] [--skip TEXT] SOURCE OURS GCOV

OURS is an annotated listing or a tracefile of lcov. Lines that both count must have equal counts.
gcc's gcov also counts some labels, which have no code; they are left out, unless --complete
requires a count for every line that gcov counts, except closing braces alone. Lines of the source
with TEXT in them are left out as well. Prints the number of compared lines; exits 1 with every
difference named.
"""

import argparse
import os
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


def tracefile_lines(path, source):
    """Counts of the file that has the last part of source's name."""
    counts, is_wanted = {}, False
    with open(path, encoding="utf-8") as tracefile:
        for record in tracefile:
            kind, _, value = record.rstrip("\n").partition(":")
            if kind == "SF":
                is_wanted = os.path.basename(value) == os.path.basename(source)
            elif kind == "DA" and is_wanted:
                line, count = value.split(",")
                counts[int(line)] = int(count)
    return counts


def our_lines(path, source):
    with open(path, encoding="utf-8") as file:
        is_tracefile = file.read(3) == "TN:"
    return tracefile_lines(path, source) if is_tracefile else annotated_lines(path)


def gcov_lines(path):
    with open(path, encoding="utf-8", errors="replace") as listing:
        return gcov_counts_in(listing)


def gcov_counts_in(rows):
    """{line: count} of the rows of a listing of gcov's."""
    counts = {}
    for row in rows:
        match = re.match(r" *(\d+\*?|#####|=====): *(\d+):", row)
        if match:
            digits = match[1].rstrip("*")
            counts[int(match[2])] = int(digits) if digits.isdigit() else 0
    return counts


def lines_where(source, matches):
    with open(source, encoding="utf-8") as file:
        return [line for line, row in enumerate(file, 1) if matches(row)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--complete", action="store_true")
    parser.add_argument("--skip", metavar="TEXT")
    for name in "source", "ours", "gcov":
        parser.add_argument(name)
    arguments = parser.parse_args()
    source = arguments.source
    ours, theirs = our_lines(arguments.ours, source), gcov_lines(arguments.gcov)
    if arguments.skip:
        for line in lines_where(source, lambda row: arguments.skip in row):
            theirs.pop(line, None)
    both = sorted(set(ours) & set(theirs))
    wrong = [line for line in both if ours[line] != theirs[line]]
    for line in wrong:
        print(f"{source}:{line}: {ours[line]}, but gcov says {theirs[line]}")
    braces = lines_where(source, lambda row: row.strip() == "}")
    missing = (sorted(set(theirs) - set(ours) - set(braces))
               if arguments.complete else [])
    for line in missing:
        print(f"{source}:{line}: no count, but gcov says {theirs[line]}")
    print(f"{len(both)} lines compared, {len(wrong)} differences, "
          f"{len(missing)} missing")
    sys.exit(1 if wrong or missing or len(both) < 20 else 0)


if __name__ == "__main__":
    main()
