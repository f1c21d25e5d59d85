#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run the analyzer on damaged copies of an image; it must end, with 0 or 2.

    damage.py ARCLINE IMAGE PROFILE
"""

import random
import struct
import subprocess
import sys


def sections(image):
    """Offset and size of each .debug_* section of a 64-bit little-endian ELF."""
    (table,) = struct.unpack_from("<Q", image, 0x28)
    size, count, i_names = struct.unpack_from("<HHH", image, 0x3A)
    headers = [
        struct.unpack_from("<IIQQQQ", image, table + i * size)
        for i in range(count)
    ]
    names = headers[i_names][4]
    for header in headers:
        name = image[names + header[0]:].split(b"\0", 1)[0]
        if name.startswith(b".debug_") and header[5]:
            yield header[4], header[5]


def main():
    arcline, image_path, profile = sys.argv[1:]
    with open(image_path, "rb") as file:
        image = file.read()
    places = list(sections(image))
    for seed in range(150):
        rng = random.Random(seed)
        damaged = bytearray(image)
        for _ in range(rng.choice([1, 3, 30, 300])):
            offset, size = rng.choice(places)
            near = rng.randrange(min(size, 64) if rng.random() < 0.3 else size)
            damaged[offset + near] = rng.choice(
                [0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
        if seed % 10 == 0:
            del damaged[rng.randrange(len(damaged)):]
        with open("damaged", "wb") as file:
            file.write(damaged)
        run = subprocess.run(
            [arcline, "gprof", "-l", "-A", "-C", "-z", "damaged", profile],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60,
            check=False)
        if run.returncode not in (0, 2):
            sys.exit(f"seed {seed}: exit {run.returncode}: "
                     f"{run.stderr.decode(errors='replace')}")


if __name__ == "__main__":
    main()
