# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the branches of a source in a tracefile of lcov with its comments.

check_branches.py TRACEFILE SOURCE: "// ways: 0 4" after a line of SOURCE lists the counts of its
ways, in any order; a line without has no branches. Exit 1 and a line for each difference. A line
that was run has no way "-".
"""
import re
import sys


def main():
    tracefile, source = sys.argv[1:]
    ways, runs, wanted = {}, {}, {}
    is_here = False
    for record in open(tracefile, encoding="utf-8"):
        kind, _, rest = record.strip().partition(":")
        if kind == "SF":
            is_here = rest.endswith("/" + source.rpartition("/")[2])
        elif is_here and kind == "BRDA":
            fields = rest.split(",")
            ways.setdefault(int(fields[0]), []).append(fields[-1])
        elif is_here and kind == "DA":
            line, count = rest.split(",")[:2]
            runs[int(line)] = int(count)
    for number, text in enumerate(open(source, encoding="utf-8"), 1):
        found = re.search(r"// ways: ([\d ]+)$", text)
        if found:
            wanted[number] = sorted(map(int, found[1].split()))
    is_good = bool(wanted)
    for line in sorted(set(ways) | set(wanted)):
        has = ways.get(line, [])
        counts = sorted(0 if way == "-" else int(way) for way in has)
        if counts != wanted.get(line, []):
            print(f"line {line}: {counts}, not {wanted.get(line, [])}")
            is_good = False
        if "-" in has and runs.get(line) != 0:
            print(f"line {line} was run, but a way is -")
            is_good = False
        if has and line not in runs:
            print(f"line {line} has branches, but is not listed")
            is_good = False
    return not is_good


sys.exit(main())
