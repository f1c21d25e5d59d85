# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sets bins of the first histogram of a gmon file, in place, so that holes of
the file stay as they are; or lists how many there are, and sums of those that
are not 0, over the records of its range.

  bins.py set FILE BIN:COUNT...
  bins.py list FILE
"""
import struct
import sys

HEADER = 20  # of the file
RECORD = 1 + 8 + 8 + 4 + 4 + 15 + 1  # up to the bins

command, path, *pairs = sys.argv[1:]
with open(path, "r+b") as file:
    data = file.read()
    n_bins = struct.unpack_from("<I", data, HEADER + 17)[0]
    if command == "set":
        for pair in pairs:
            i_bin, count = map(int, pair.split(":"))
            file.seek(HEADER + RECORD + i_bin % n_bins * 2)
            file.write(struct.pack("<H", count))
    else:
        at, sums = HEADER, [0] * n_bins
        while data[at:at + 17] == data[HEADER:HEADER + 17]:
            bins = struct.unpack_from(f"<{n_bins}H", data, at + RECORD)
            sums = [a + b for a, b in zip(sums, bins)]
            at += RECORD + 2 * n_bins
        print("bins", n_bins)
        for i_bin, count in enumerate(sums):
            if count:
                print(i_bin, count)
