#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Describe, for mkgmon.py, a random profile of an image.

    random-gmon.py SEED SYMBOLS ROWS

SYMBOLS is the output of llvm-nm, ROWS that of llvm-dwarfdump --debug-line.
Arcs lead from rows of the line table to functions; blocks start at rows or
near them; samples lie anywhere between the first row and the last.
"""

import random
import re
import sys


def main():
    seed, symbols_path, rows_path = sys.argv[1:]
    rng = random.Random(int(seed))
    with open(rows_path, encoding="utf-8") as lines:
        rows = sorted({
            int(line.split()[0], 16)
            for line in lines
            if re.match(r"0x[0-9a-f]{16} ", line)
        } - {0})
    rows = [row for row in rows if row >= 0x1000]
    with open(symbols_path, encoding="utf-8") as lines:
        words = [line.split() for line in lines]
    funcs = [w[2] for w in words if len(w) == 3 and w[1] in "TtWw"]
    low, high = rows[0] & ~1, (rows[-1] + 1) & ~1
    print("hist", low, high)
    for _ in range(100):
        print("at", rng.randrange(low, high), rng.choice([1, 2, 5]))
    print("arc", rows[0], "main", 3)
    for _ in range(40):
        count = rng.choice([1, 2, 3, 7, rng.randrange(10**6)])
        print("arc", rng.choice(rows), rng.choice(funcs), count)
    print("blocks")
    for _ in range(len(rows)):
        count = rng.choice([0, 1, 2, 10, 10, rng.randrange(10**9)])
        print(rng.choice(rows) + rng.choice([0, 0, 0, 1, 2]), count)


if __name__ == "__main__":
    main()
