#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make reports with damaged copies of a side file: the exit status must be 0 or 2.

    damage-side.py ARCLINE SIDE-FILE

The copies replace gmon.out.arcline in the working directory.
"""
import random
import subprocess
import sys


def main():
    arcline, path = sys.argv[1:]
    whole = open(path, "rb").read()
    chance = random.Random(1)
    refused = 0
    for turn in range(150):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 1, 3))):
            at = chance.randrange(len(damaged))
            damaged[at] = chance.choice(b"\0\n 0159afx-%/[\xff")
        if turn % 5 == 0:
            del damaged[chance.randrange(len(damaged)) :]
            damaged += b"\nend\n"
        with open("gmon.out.arcline", "wb") as out:
            out.write(damaged)
        done = subprocess.run(
            [arcline, "gprof", "-b", "gmon.out.arcline"], capture_output=True
        )
        if done.returncode not in (0, 2):
            sys.exit(f"turn {turn}: exit status {done.returncode}")
        refused += done.returncode == 2
    if refused in (0, turn + 1):
        sys.exit(f"{refused} files refused")


main()
