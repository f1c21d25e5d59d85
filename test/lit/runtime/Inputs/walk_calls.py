# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follow direct calls through a disassembly (objdump -dr of one object file):

    walk_calls.py FILE FUNCTION...

Prints the reached functions that use vector registers, and those that the object does not define.
Calls through pointers are not seen: name their targets as well.
"""
import re
import sys

path, *to_do = sys.argv[1:]
functions = {}
with open(path) as file:
    for line in file:
        start = re.match(r"[0-9a-f]+ <([^>]+)>:", line)
        if start:
            calls, vectors = functions[start[1]] = set(), []
        elif functions:
            if re.search(r"%[xyz]mm", line):
                vectors.append(line.strip())
            target = re.search(r"R_X86_64_\w+\s+([A-Za-z_]\w*)[-+]0x", line)
            jump = re.search(r"\b(?:call|j\w+)\s+[0-9a-f]+ <([A-Za-z_]\w*)", line)
            calls.update(match[1] for match in (target, jump) if match)

seen = set()
while to_do:
    name = to_do.pop()
    if name not in seen:
        seen.add(name)
        to_do += functions.get(name, ((), ()))[0]
assert len(seen) > 5, "the disassembly is not understood"
for name in sorted(seen):
    if name not in functions:
        print("outside", name)
    for vector in functions.get(name, ((), ()))[1]:
        print("vector", name, vector)
