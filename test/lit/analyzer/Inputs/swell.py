#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make the compressed sections of a 64-bit little-endian ELF file claim a wrong size.

    swell.py FILE SIZE OUTPUT
"""

import struct
import sys

SHF_COMPRESSED = 1 << 11


def main():
    with open(sys.argv[1], "rb") as file:
        data = bytearray(file.read())
    size = int(sys.argv[2], 0)
    table, = struct.unpack_from("<Q", data, 0x28)
    n_sections, = struct.unpack_from("<H", data, 0x3c)
    for i in range(n_sections):
        _, _, flags, _, offset = struct.unpack_from("<IIQQQ", data,
                                                    table + 64 * i)
        if flags & SHF_COMPRESSED:
            struct.pack_into("<Q", data, offset + 8, size)
    with open(sys.argv[3], "wb") as file:
        file.write(data)


main()
