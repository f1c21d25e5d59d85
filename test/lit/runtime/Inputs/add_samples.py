# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Add samples at one address of a gmon.out file, as the runtime writes them if a bin has more than
fit into 16 bits: in further histograms of the same range.

  add_samples.py FILE ADDRESS NUMBER
"""
import struct
import sys

HEADER, TAG, RECORD, MOST = 20, 1, "<QQII15sc", 0xFFFF

path, address, number = sys.argv[1], int(sys.argv[2], 16), int(sys.argv[3])
with open(path, "rb") as file:
    data = file.read()
assert data[HEADER] == 0, "no histogram comes first"
low, high, n_bins, *_ = struct.unpack_from(RECORD, data, HEADER + TAG)
head = data[HEADER : HEADER + TAG + struct.calcsize(RECORD)]
i_bin = (address - low) * n_bins // (high - low)
records = b""
while number:
    n = min(number, MOST)
    bins = bytearray(2 * n_bins)
    struct.pack_into("<H", bins, 2 * i_bin, n)
    records += head + bytes(bins)
    number -= n
with open(path, "wb") as file:
    file.write(data[:HEADER] + records + data[HEADER:])
