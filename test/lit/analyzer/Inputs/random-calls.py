#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make a program of many functions, and profiles of random calls between them.

    random-calls.py program N > program.s
    random-calls.py calls SEED SYMBOLS > description     (for mkgmon.py)
    random-calls.py map SEED SYMBOLS N > map             (for -R)

SYMBOLS is the output of nm. Names are not in order of address. Counts are few,
so that many tie; some functions are called by many. A map has at most N lines.
"""

import random
import sys


def program(n):
    names = [f"f{i}" for i in range(n)]
    random.Random(n).shuffle(names)
    print(".text\n.globl _start\n_start: nop")
    for name in names:
        print(f".globl {name}\n.type {name}, @function\n{name}: .skip 16, 0x90")


def functions(path):
    with open(path, encoding="utf-8") as lines:
        words = [line.split() for line in lines]
    return [w[2] for w in words if len(w) == 3 and w[2].startswith("f")]


def calls(seed, names):
    rng = random.Random(seed)
    popular = rng.sample(names, min(len(names), rng.choice([1, 5, 20])))
    arcs = [(name, callee, rng.choice([50, 100, rng.randrange(100)]))
            for callee in popular
            for name in rng.sample(names, min(len(names),
                                              rng.choice([3, 5, 6, 20, 40])))]
    for _ in range(rng.choice([0, 1, 10, 30])):
        arcs.append((rng.choice(popular), rng.choice(popular),
                     rng.choice([1, 100, 1000])))
    for name in names:
        if rng.random() < 0.9:
            arcs.append((rng.choice(names), name, rng.choice([0, 1, 1, 2])))
    for _ in range(rng.choice([0, 100, 1000])):
        arcs.append((rng.choice(names), rng.choice(names),
                     rng.choice([1, 100])))
    rng.shuffle(arcs)
    for arc in arcs[:rng.choice([5, 50, len(arcs)])]:
        print("arc", *arc)


def file_map(seed, names, n):
    rng = random.Random(seed)
    files = [f"file{i}.o" for i in range(rng.choice([2, n // 3 + 1, n]))]
    lines = [(rng.choice(files), name) for name in rng.sample(names, n)]
    if rng.random() < 0.6:
        lines.sort()
    lines[rng.randrange(n)] = (rng.choice(files), "absent")
    lines[rng.randrange(n)] = (rng.choice(files), lines[0][1])
    for file, name in lines:
        print(f"{file}:0000000000000000 T {name}")


def main():
    what, number = sys.argv[1], int(sys.argv[2])
    if what == "program":
        program(number)
    elif what == "calls":
        calls(number, functions(sys.argv[3]))
    else:
        file_map(number, functions(sys.argv[3]), int(sys.argv[4]))


if __name__ == "__main__":
    main()
