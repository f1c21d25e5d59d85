# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare a program's own account (truth.h) with its profile.

  check_truth.py --arcline PROGRAM [--gprof PROGRAM] [--no-calls] [--no-blocks]
                 [--gprof-lines] IMAGE SOURCE TRUTH GMON...

A second number in a row of the account is the maximum of the count: code that a jump out of a
handler interrupted may have been counted or not.

Calls are compared with the flat profiles of `arcline gprof` and of GNU gprof,
lines with `arcline annotate` and, with --gprof-lines (unoptimised code, where
every line starts a block), with GNU gprof's list of block counts. Prints what
it compared; exits 1 with every difference named.
"""
import argparse
import os
import re
import subprocess
import sys


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: exit {result.returncode}: {result.stderr}")
    return result.stdout


class Range:
    """Numbers from low to high; equal to each of them."""

    def __init__(self, low, high=None):
        self.low, self.high = int(low), int(high or low)

    def __eq__(self, number):
        return number is not None and self.low <= number <= self.high

    def __str__(self):
        return f"{self.low}" + (f" to {self.high}" if self.high > self.low else "")


def read_truth(path):
    calls, lines = {}, {}
    with open(path, encoding="utf-8") as truth:
        for row in truth:
            kind, name, *counts = row.split() or [""] * 2
            if kind == "calls":
                calls[name] = Range(*counts)
            elif kind == "line":
                lines[int(name)] = Range(*counts)
    return calls, lines


def flat_calls(listing):
    """Calls of a flat profile: the number after the three times."""
    calls = {}
    for row in listing.splitlines():
        fields = row.split()
        if len(fields) >= 5 and re.fullmatch(r"[\d.]+", fields[0]):
            if fields[3].isdigit():
                name = fields[6] if len(fields) > 6 else fields[4]
                calls[name] = calls.get(name, 0) + int(fields[3])
    return calls


def annotated_lines(listing, source):
    """Counts of the listing of one source file, found by the columns' heads."""
    lines, is_inside, column = {}, False, None
    for row in listing.splitlines():
        head = re.match(r".*\bself s\b.*\bcount\b", row)
        if head:
            column = (row.index("%") + 1, head.end())
        elif row.startswith("/"):
            is_inside = os.path.basename(row.strip()) == source
        match = re.match(r".* (\d+)\|", row)
        if column and is_inside and match:
            count = row[slice(*column)].strip()
            if count:
                lines[int(match.group(1))] = 0 if "#" in count else int(count)
    return lines


def gprof_block_lines(listing, source):
    """All block counts of each line, from -C rows FILE:LINE: (...) N executions."""
    lines = {}
    pattern = re.compile(r"(.*):(\d+): \(.*\) (\d+) executions")
    for row in listing.splitlines():
        match = pattern.fullmatch(row)
        if match and os.path.basename(match.group(1)) == source:
            lines.setdefault(int(match.group(2)), set()).add(int(match.group(3)))
    return lines


def check(arguments):
    """Returns all differences as texts, and the number of comparisons."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--arcline", required=True)
    parser.add_argument("--gprof", default="")
    parser.add_argument("--no-calls", action="store_true")
    parser.add_argument("--no-blocks", action="store_true")
    parser.add_argument("--gprof-lines", action="store_true")
    parser.add_argument("image")
    parser.add_argument("source")
    parser.add_argument("truth")
    parser.add_argument("gmon", nargs="+")
    options = parser.parse_args(arguments)

    calls, lines = read_truth(options.truth)
    source = os.path.basename(options.source)
    differences, n_compared = [], 0

    def compare(what, key, expected, found):
        nonlocal n_compared
        n_compared += 1
        if not expected == found:
            differences.append(f"{what}: {key}: expected {expected}, found {found}")

    readers = [("arcline gprof", (options.arcline, "gprof"))]
    if options.gprof:
        readers.append(("gprof", (options.gprof,)))
    if not options.no_calls:
        for name, command in readers:
            found = flat_calls(
                run(*command, "-b", "-p", "-z", options.image, *options.gmon)
            )
            for function, count in calls.items():
                compare(name, function, count, found.get(function, 0))
    if not options.no_blocks:
        found = annotated_lines(
            run(options.arcline, "annotate", options.image, *options.gmon), source
        )
        for line, count in lines.items():
            compare("arcline annotate", f"line {line}", count, found.get(line))
        if options.gprof_lines:
            for name, command in readers:
                found = gprof_block_lines(
                    run(*command, "-b", "-l", "-C", "-z", options.image, *options.gmon),
                    source,
                )
                for line, count in lines.items():
                    if not any(count == one for one in found.get(line, set())):
                        differences.append(
                            f"{name} -C: line {line}: expected {count}, "
                            f"found {sorted(found.get(line, set()))}"
                        )
                    n_compared += 1
    if not calls or not lines or not n_compared:
        differences.append("nothing to compare: the account is empty")
    return differences, n_compared


def main():
    differences, n_compared = check(sys.argv[1:])
    for difference in differences:
        print(difference)
    print(f"{n_compared} counts compared")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
