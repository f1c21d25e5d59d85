# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""merge_tree.py ARCLINE RUNS SUM: add the files in a folder up in random trees
with `arcline merge`: each result must be that of SUM, byte for byte."""
import os
import random
import shutil
import subprocess
import sys

arcline, runs, expected = sys.argv[1:]
random.seed(4711)


def groups():
    """The files of each process, as lists."""
    found = {}
    for folder, _, names in os.walk(runs):
        for name in names:
            found.setdefault(name.split(".")[1], []).append(os.path.join(folder, name))
    return list(found.values())


def files_of(name):
    return [name + suffix for suffix in ("", ".libhalf.so", ".arcline")]


for round_number in range(5):
    left = groups()
    shutil.rmtree("tree", ignore_errors=True)
    os.mkdir("tree")
    number = 0
    while len(left) > 1:
        random.shuffle(left)
        taken = [left.pop() for _ in range(min(len(left), random.randint(1, 4)))]
        operands = [path for group in taken for path in group]
        random.shuffle(operands)
        number += 1
        name = f"tree/{number}/sum"
        os.mkdir(f"tree/{number}")
        subprocess.run([arcline, "merge", "-o", name, *operands], check=True)
        left.append(files_of(name))
    subprocess.run([arcline, "merge", "-o", "tree/sum", *left[0]], check=True)
    for a, b in zip(files_of("tree/sum"), files_of(expected)):
        assert os.path.basename(a) == os.path.basename(b)
        with open(a, "rb") as one, open(b, "rb") as other:
            assert one.read() == other.read(), (round_number, a, b)
