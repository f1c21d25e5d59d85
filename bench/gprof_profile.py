# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes profiles for programs that need not run: gmon.out from a seeded generator.

Programs are described by nm and readelf alone.
"""
import random
import struct
import subprocess

import elf

TEXT_BYTES_PER_BIN = 4  # as glibc has it


def functions_of(image):
    """[(address, name)] of functions in code, ascending, one per address."""
    done = subprocess.run(["nm", image], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise elf.ElfError(f"nm cannot read {image}")
    found = {}
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "tT" and "." not in words[2]:
            found.setdefault(int(words[0], 16), words[2])
    return sorted(found.items())


def text_range(image):
    """Addresses of .text: (low, high)."""
    for line in elf.readelf("--sections", image):
        words = line.replace("[ ", "[").split()
        if len(words) > 5 and words[1] == ".text":
            low = int(words[3], 16)
            return low, low + int(words[5], 16)
    raise elf.ElfError(f"{image} has no .text")


def write(path, image, samples, arcs):
    """samples: {address: how many}; arcs: [(from, to, count)]."""
    low, high = text_range(image)
    n_bins = (high - low + TEXT_BYTES_PER_BIN - 1) // TEXT_BYTES_PER_BIN
    bins = [0] * n_bins
    for vaddr, count in samples.items():
        if low <= vaddr < high:
            bins[(vaddr - low) // TEXT_BYTES_PER_BIN] += count
    with open(path, "wb") as out:
        out.write(b"gmon" + struct.pack("<I12x", 1))
        out.write(struct.pack("<BQQII15ss", 0, low,
                              low + n_bins * TEXT_BYTES_PER_BIN, n_bins, 100,
                              b"seconds", b"s"))
        out.write(struct.pack(f"<{n_bins}H", *(min(n, 65535) for n in bins)))
        for arc in arcs:
            out.write(struct.pack("<BQQI", 1, *arc))


def write_random(path, image, n_hot, n_arcs, seed=1):
    """A profile like that of a long run: samples at some places of n_hot functions, and n_arcs
    calls between any."""
    generator = random.Random(seed)
    low, high = text_range(image)
    starts = [vaddr for vaddr, _ in functions_of(image) if low <= vaddr < high]
    samples = {}
    for vaddr in generator.sample(starts, min(n_hot, len(starts))):
        for _ in range(generator.randrange(1, 12)):
            place = vaddr + generator.randrange(0, 256)
            samples[place] = samples.get(place, 0) + generator.randrange(1, 40)
    arcs = {}
    for _ in range(n_arcs):
        # A few callers and callees are much busier than the others.
        start = starts[int(len(starts) * generator.random() ** 2)]
        callee = starts[int(len(starts) * generator.random() ** 2)]
        arcs[start + generator.randrange(5, 60), callee] = int(
            generator.paretovariate(0.5)) & 0xffffff
    write(path, image, samples,
          [(*ends, count) for ends, count in arcs.items()])
