"""Put samples into the first bin of a profile's histogram.

usage: add_samples.py PROFILE COUNT
"""
import struct
import sys

path, count = sys.argv[1:]
with open(path, "rb") as file:
    data = bytearray(file.read())
HEADER_BYTES = 20
if data[HEADER_BYTES] != 0:
    sys.exit("no histogram comes first")
# After its tag: range, number of bins, rate; dimension and abbreviation.
bins = HEADER_BYTES + 1 + struct.calcsize("<QQII") + 16
data[bins : bins + 2] = struct.pack("<H", int(count))
with open(path, "wb") as file:
    file.write(data)
