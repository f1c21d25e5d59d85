# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print a gmon.out file as text, addresses replaced by the image's symbols:

    gmon.py NM IMAGE FILE

arc CALLER CALLEE COUNT, block SYMBOL+OFFSET COUNT, one "histograms N" line and
"marked" if the header bears the image's mark. Equal arcs are not added up, so
that a test sees how many records there are.
"""
import bisect
import struct
import subprocess
import sys

nm, image, path = sys.argv[1:]
symbols = []
for line in subprocess.run(
    [nm, "--defined-only", image], check=True, capture_output=True, text=True
).stdout.splitlines():
    value, _, name = line.split(" ", 2)
    symbols.append((int(value, 16), name))
symbols.sort(key=lambda item: item[0])
starts = [item[0] for item in symbols]


def name(vaddr):
    i = bisect.bisect_right(starts, vaddr) - 1
    return symbols[i][1] if i >= 0 else "?"


def place(vaddr):
    i = bisect.bisect_right(starts, vaddr) - 1
    return "%s+%d" % (symbols[i][1], vaddr - starts[i]) if i >= 0 else "?"


with open(path, "rb") as file:
    data = file.read()
magic, version, mark = struct.unpack_from("<4sI4s", data)
assert magic == b"gmon" and version == 1, "no gmon.out file"
if mark == b"ARC1":
    print("marked")
at = 20
n_histograms = 0
lines = []
while at < len(data):
    tag = data[at]
    at += 1
    if tag == 0:
        low, high, n_bins, rate, dimension, unit = struct.unpack_from(
            "<QQII15sc", data, at
        )
        assert (high - low) % n_bins == 0 and (high - low) // n_bins in (2, 4)
        assert dimension == b"seconds" + bytes(8) and unit == b"s"
        at += 40 + 2 * n_bins
        n_histograms += 1
    elif tag == 1:
        caller, callee, count = struct.unpack_from("<QQI", data, at)
        at += 20
        lines.append(
            "arc %s %s %d" % (name(caller) if caller else "outside", name(callee), count)
        )
    elif tag == 2:
        (n,) = struct.unpack_from("<I", data, at)
        at += 4
        for vaddr, count in struct.iter_unpack("<QQ", data[at : at + 16 * n]):
            lines.append("block %s %d" % (place(vaddr), count))
        at += 16 * n
    else:
        sys.exit("unknown tag %d at %d" % (tag, at - 1))
assert at == len(data), "file is cut short"
print("histograms %d, rate %d" % (n_histograms, rate))
print("\n".join(sorted(lines)))
