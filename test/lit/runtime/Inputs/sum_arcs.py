# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Add up the arcs that gmon.py prints: CALLER CALLEE COUNT, in order."""
import collections
import sys

sums = collections.Counter()
for line in sys.stdin:
    if line.startswith("arc "):
        _, caller, callee, count = line.split()
        sums[caller, callee] += int(count)
for (caller, callee), count in sorted(sums.items()):
    print(caller, callee, count)
