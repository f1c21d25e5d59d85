# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare a program's own account with the profiles of all its objects.

  sum_calls.py NM TRUTH IMAGE GMON [IMAGE GMON...]

TRUTH has rows "calls SYMBOL COUNT". Counts of all objects are added up, calls
from outside of the object among them.
"""
import os
import subprocess
import sys

nm, truth, *pairs = sys.argv[1:]
reader = os.path.join(os.path.dirname(__file__), "gmon.py")
calls = {}
for image, gmon in zip(pairs[::2], pairs[1::2]):
    listing = subprocess.run(
        [sys.executable, reader, nm, image, gmon],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for row in listing.splitlines():
        kind, *fields = row.split()
        if kind == "arc":
            _, callee, count = fields
            calls[callee] = calls.get(callee, 0) + int(count)
n_compared = n_wrong = 0
with open(truth, encoding="utf-8") as rows:
    for row in rows:
        _, name, count = row.split()
        n_compared += 1
        if calls.get(name, 0) != int(count):
            n_wrong += 1
            print(f"{name}: expected {count}, found {calls.get(name, 0)}")
sys.exit(1 if n_wrong or not n_compared else 0)
