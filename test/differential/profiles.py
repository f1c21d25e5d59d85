# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes up profiles for a program, of every shape that the formats allow. The same seed gives the
same files."""

import collections
import os
import random

# The purpose of a profile, its parts (h histogram, a arcs, b blocks), and further
# arguments of Generator.new_file.
SHAPES = {
    "plain": ("ha", {}),
    "all": ("hab", {}),
    "glibc": ("ha", {"is_glibc": True}),
    "several-histograms": ("hab", {"n_ranges": 3, "units": 2}),
    "coarse": ("ha", {"units": 8}),
    "dense": ("ha", {"density": 0.9}),
    "cycles": ("ha", {"n_ends": 6, "n_arcs": 200}),
    "wide": ("ha", {"n_ends": 400, "n_arcs": 400}),
    "self-arcs": ("ha", {"n_ends": 20, "self_share": 0.5}),
    "unknown-callers": ("ha", {"unknown_share": 0.4}),
    "most-calls": ("ha", {"counts": [0xffffffff, 0xfffffffe, 1]}),
    "full-bins": ("ha", {"density": 0.3, "bin_max": 65535}),
    "cycles-dimension": ("ha", {"dimension": "cycles"}),
    "long-dimension": ("ha", {"dimension": "fifteen-letters"}),
    "rate-0": ("ha", {"rate": 0}),
    "rate-1": ("ha", {"rate": 1}),
    "rate-odd": ("ha", {"rate": 999983}),
    "histogram": ("h", {}),
    "no-samples": ("ha", {"density": 0}),
    "arcs": ("a", {}),
    "blocks": ("b", {}),
    "header": ("", {}),
    "few-blocks": ("hab", {"n_blocks": 8}),
    "version-0": ("ha", {"version": 0}),
}
OLD_SHAPES = {"old-bsd": False, "4.4bsd": True}


# Addresses in the records of a file, and ranges of histograms.
Records = collections.namedtuple("Records", "ranges blocks callees")


def read_records(path, layout):
    """The addresses and ranges in the records of a file."""
    with open(path, "rb") as file:
        data = file.read()
    records = Records([], set(), set())
    if not data.startswith(b"gmon"):
        low, high, arcs_at = layout.unpack("PPI", data, 0)
        records.ranges.append((low, high))
        for at in range(arcs_at, len(data), layout.size("PPP")):
            records.callees.add(layout.unpack("PPP", data, at)[1])
        return records
    at = 20
    while at < len(data):
        tag = data[at]
        at += 1
        if tag == 0:
            low, high, n_bins, _ = layout.unpack("PPII", data, at)
            records.ranges.append((low, high))
            at += layout.size("PPII16s") + 2 * n_bins
        elif tag == 1:
            records.callees.add(layout.unpack("PPI", data, at)[1])
            at += layout.size("PPI")
        else:
            n_blocks, = layout.unpack("I", data, at)
            at += 4
            records.blocks.update(layout.unpack("PP" * n_blocks, data, at)[::2])
            at += n_blocks * layout.size("PP")
    return records


class Profile:
    """Files that are read together. kinds: letters as in SHAPES."""

    def __init__(self, shape, kinds, names, is_old=False):
        self.shape = shape
        self.kinds = kinds
        self.names = names
        self.is_old = is_old


class Generator:
    """Makes profiles over the functions of one program."""

    def __init__(self, seed, program):
        self.random = random.Random(seed)
        self.program = program
        self.layout = program.layout
        self.addresses = program.addresses
        self.n_written = 0

    def write(self, data):
        name = f"random-{self.n_written}.out"
        self.n_written += 1
        with open(os.path.join(self.program.folder, name), "wb") as out:
            out.write(data)
        return name

    def profile(self, shape, n_files):
        if shape in OLD_SHAPES:
            files = [self.old_file(OLD_SHAPES[shape]) for _ in range(n_files)]
            return Profile(shape, "ha", [self.write(file) for file in files],
                           True)
        kinds, special = SHAPES[shape]
        ranges = self.choose_ranges(special.get("n_ranges", 1))
        files = [self.new_file(ranges, kinds, **special) for _ in range(n_files)]
        return Profile(shape, kinds, [self.write(file) for file in files])

    # --- Parts of files ---

    def address(self, unknown_share):
        """An address in some function, or rarely anywhere."""
        choice = self.random.random()
        if choice < unknown_share / 2:
            return self.random.randrange(self.addresses[-1] + 4096)
        if choice < unknown_share:
            return 0
        return self.random.choice(self.addresses) + (
            self.random.randrange(64) if choice < 0.6 else 0)

    def count(self):
        return self.random.choice([
            0, 1, 1, 2, self.random.randrange(100),
            self.random.randrange(1000000), 0xffffffff])

    def choose_ranges(self, n_ranges):
        """Ranges that do not overlap, for histograms with bins of one size.
        They end before the last symbol: its time in GNU gprof depends on uninitialised memory."""
        low = self.addresses[0] & ~15
        high = min(self.addresses[-1] & ~15, low + 0x10000)
        step = (high - low) // n_ranges & ~63
        return [(low + i * step, low + (i + 1) * step) for i in range(n_ranges)]

    def histogram(self, low, high, n_bins, density, bin_max, rate, dimension):
        bins = [self.random.randrange(1, bin_max + 1)
                if self.random.random() < density else 0 for _ in range(n_bins)]
        return self.layout.pack(
            "BPPII15sc", 0, low, high, n_bins, rate, dimension.encode(),
            dimension[:1].encode()) + self.layout.pack(f"{n_bins}H", *bins)

    def arcs(self, n_ends, n_arcs, self_share, unknown_share):
        # Few ends make cycles and repeated arcs, many make a wide graph.
        ends = [self.address(unknown_share) for _ in range(n_ends)]
        for _ in range(n_arcs):
            start = self.random.choice(ends)
            yield start, (start if self.random.random() < self_share
                          else self.random.choice(ends))

    def blocks(self, n_blocks):
        pairs = [self.layout.pack("PP", self.address(0.04), self.count())
                 for _ in range(n_blocks)]
        return self.layout.pack("BI", 2, n_blocks) + b"".join(pairs)

    # --- Files ---

    def new_file(self, ranges, kinds, n_ranges=1, units=1, density=None,
                 bin_max=500, rate=100, dimension="seconds", is_glibc=False,
                 n_ends=None, n_arcs=None, self_share=0, unknown_share=0.04,
                 counts=None, n_blocks=None, version=1):
        assert len(ranges) == n_ranges
        if density is None:
            density = self.random.choice([0.01, 0.3])
        records = []
        for low, high in ranges if "h" in kinds else ():
            # glibc rounds the number of bins up: they are a little too small.
            n_bins = (high - low) // (2 * units) + (13 if is_glibc else 0)
            records.append(self.histogram(low, high, n_bins, density, bin_max,
                                          rate, dimension))
        if "a" in kinds:
            arcs = self.arcs(n_ends or self.random.choice([6, 30, 200]),
                             n_arcs or self.random.choice([10, 100, 400]),
                             self_share, unknown_share)
            records += [self.layout.pack(
                "BPPI", 1, *arc, self.random.choice(counts) if counts
                else self.count()) for arc in arcs]
        if "b" in kinds:
            records += [self.blocks(n_blocks or self.random.randrange(200))
                        for _ in range(self.random.choice([1, 2]))]
        # Records may come in any order.
        self.random.shuffle(records)
        return b"gmon" + self.layout.pack("I", version) + bytes(12) + \
            b"".join(records)

    def old_file(self, is_44):
        low = self.addresses[0] & ~15
        n_bins = min(2000, (self.addresses[-1] - low) // 2)
        bins = [self.random.randrange(500) if self.random.random() < 0.05 else 0
                for _ in range(n_bins)]
        header_bytes = len(self.layout.pack("PPI", 0, 0, 0)) + 20 * is_44
        data = self.layout.pack("PPI", low, low + 2 * n_bins,
                                header_bytes + 2 * n_bins)
        if is_44:
            data += self.layout.pack("II", 0x51879, 250) + bytes(12)
        data += self.layout.pack(f"{n_bins}H", *bins)
        return data + b"".join(
            self.layout.pack("PPP", *arc, self.count())
            for arc in self.arcs(30, 100, 0.1, 0.04))
