#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the calls that `arcline gprof -c` finds with those in a disassembly.

    check-static-calls.py ARCLINE OBJDUMP IMAGE PROFILE

Each call, or jump from one function to the beginning of another, must be a line in the caller's
entry, and there must be no other line. PROFILE has no arc between functions.
"""

import bisect
import collections
import re
import subprocess
import sys



def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


arcline, objdump, image, profile = sys.argv[1:]

# Caller and callee of each line; the names of functions in reports.
listing = run(arcline, "gprof", "-b", "-q", "-z", "-c", "--no-demangle", image, profile)
found = collections.Counter()
kept = set()
for entry in listing.split("-" * 47 + "\n"):
    parent = None
    for line in entry.splitlines():
        if line.startswith("["):
            if "as a whole>" in line:
                break
            parent = re.search(r" (\S+) (<cycle \d+> )?\[\d+\]$", line).group(1)
            kept.add(parent)
        elif parent:
            child = re.search(r" (\S+) (<cycle \d+> )?[\[(]\d+[\])]$", line)
            found[parent, child.group(1)] += 1
            kept.add(child.group(1))

# Symbols by their address. Jumps to others than functions stay within one.
names = collections.defaultdict(list)
functions = set()
for line in run("readelf", "--wide", "--symbols", image).splitlines():
    match = re.match(r" *\d+: ([0-9a-f]+) +\S+ (FUNC|NOTYPE) .* (\S+)$", line)
    if match and match.group(3) in kept:
        names[int(match.group(1), 16)].append(match.group(3))
        if match.group(2) == "FUNC":
            functions.add(int(match.group(1), 16))
starts = sorted(names)

expected = set()
for line in run(objdump, "-d", "--no-show-raw-insn", image).splitlines():
    match = re.match(
        r" +([0-9a-f]+):\t(?:(?:bnd|notrack|data16|addr32|rex\S*|cs|repz|repnz) )*"
        r"(call|bl|j[a-z]+|b)(?:,p[nt])?\s+([0-9a-f]+) <", line)
    if not match:
        continue
    at, to = int(match.group(1), 16), int(match.group(3), 16)
    i = bisect.bisect_right(starts, at)
    is_call = match.group(2) in ("call", "bl")
    if i and to in (names if is_call else functions) and (
        is_call or to != starts[i - 1]):
        expected.add((starts[i - 1], to))

unexplained = found.copy()
missing = []
for parent, child in sorted(expected):
    pairs = [(p, c) for p in names[parent] for c in names[child]
             if unexplained[p, c] > 0]
    if pairs:
        unexplained[pairs[0]] -= 1
    else:
        missing.append((names[parent], names[child], hex(parent), hex(child)))
unexplained = +unexplained
for pair in sorted(unexplained):
    print("not in the disassembly:", *pair)
for item in missing:
    print("missing:", *item)
print(len(expected), "calls in the disassembly,", sum(found.values()), "in the listing")
sys.exit(bool(missing or unexplained))
