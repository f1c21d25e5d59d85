#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare `arcline gprof -b` with GNU gprof, byte for byte.

    compare_with_gprof.py --arcline FILE --gprof FILE --cc FILE --cxx FILE
                          [--clang FILE --clangxx FILE] [--work DIR] [--seed N] [--rounds N]
                          [--more]

Builds the programs beside this file with -pg in many ways, runs them, and
compares the reports of what they wrote. Then writes random profiles over the
functions of each program (several histograms, cycles, callers that nobody
knows, blocks, the old formats) and compares the reports of those. Random means
a seeded generator: the same seed gives the same files. --more builds every
combination of options instead of a selection.

What GNU gprof refuses must be refused; but C++ on which it gives up with -l is
left out. Prints each difference; exit code 1 if there was one.
"""

import argparse
import itertools
import os
import random
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

PROGRAMS = {
    "cycles": ["cycles.c"],
    "names": ["names.c", "names_other.c"],
    "objects": ["objects.cpp"],
}

# Option sets for profiles that programs wrote themselves.
FIXED_OPTIONS = [
    [], ["-z"], ["-l"], ["-a"], ["-D"], ["-p"], ["-P"], ["-q"], ["-Q"],
    ["--no-demangle"], ["-i", "-p"], ["-w120"], ["--inline-file-names"],
    ["-l", "-z", "-L"], ["-l", "-C", "-z"], ["-l", "-A", "-x", "-t3"], ["-A"],
    ["-C"], ["-T"], ["-T", "-l", "-z"], ["-T", "-p"],
    ["-c", "--gnu-bugs"], ["-c", "-l", "-z", "--gnu-bugs"],
]


class Layout:
    """How numbers are stored in the profiles of an image."""

    def __init__(self, image):
        with open(image, "rb") as file:
            ident = file.read(16)
        self.wide = "Q" if ident[4] == 2 else "I"
        self.order = "<" if ident[5] == 1 else ">"

    def pack(self, codes, *values):
        return struct.pack(self.order + codes.replace("P", self.wide), *values)


def run(command, **kwargs):
    return subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, **kwargs)


def must_run(command, **kwargs):
    done = run(command, **kwargs)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode()}")
    return done.stdout


class Comparison:
    def __init__(self, args):
        self.args = args
        self.n_equal = self.n_different = 0
        self.n_refused = self.n_given_up = 0

    def compare(self, folder, options, image, profiles):
        operands = ["-b", *options, image, *profiles]
        theirs = run([self.args.gprof,
                      *(o for o in operands if o != "--gnu-bugs")], cwd=folder)
        # With -l it gives up on some C++, and crashes with -c where that is
        # static.
        if (b"somebody miscounted" in theirs.stderr or
                (theirs.returncode < 0 and {"-l", "-c"} <= set(options))):
            self.n_given_up += 1
            return
        ours = run([self.args.arcline, "gprof", *operands], cwd=folder)
        if theirs.returncode and ours.returncode == 2:
            self.n_refused += 1
            return
        if ours.stdout == theirs.stdout and ours.returncode == 0:
            self.n_equal += 1
            return
        self.n_different += 1
        print(f"DIFFERENT: in {folder}: gprof {' '.join(operands)}")
        print(f"  gprof: exit code {theirs.returncode} "
              f"{theirs.stderr.decode()}", end="")
        print(f"  exit code {ours.returncode} {ours.stderr.decode()}", end="")
        pairs = itertools.zip_longest(theirs.stdout.splitlines(),
                                      ours.stdout.splitlines())
        for number, (line, our_line) in enumerate(pairs, 1):
            if line != our_line:
                print(f"  line {number}: gprof   {line!r}")
                print(f"  line {number}: arcline {our_line!r}")
                break


def builds(args):
    """Yield (folder name, sources, compiler command)."""
    compilers = [(args.cc, args.cxx)]
    if args.clang:
        compilers.append((args.clang, args.clangxx))
    for name, sources in PROGRAMS.items():
        for i_compiler, pair in enumerate(compilers):
            compiler = pair[sources[0].endswith(".cpp")]
            for i, (level, link, debug) in enumerate(itertools.product(
                    ["-O0", "-O1", "-O2"], ["-pie", "-no-pie", "-static"],
                    ["-g", "-g0"])):
                # A selection in which each option meets each other one.
                if not args.more and i % 7 != 2 * i_compiler:
                    continue
                code = "-fPIE" if link == "-pie" else "-fno-pie"
                yield (f"{name}-{i_compiler}{level}{link}{debug}", sources,
                       [compiler, "-w", "-pg", level, code, link, debug])


def build(folder, sources, command):
    os.makedirs(folder, exist_ok=True)
    paths = [os.path.join(HERE, "programs", source) for source in sources]
    must_run([*command, *paths, "-o", "program"], cwd=folder)
    must_run(["./program"], cwd=folder)


def text_symbols(image):
    """Addresses of symbols in code, with what follows the last as the end."""
    lines = must_run(["nm", "-n", image]).decode().splitlines()
    words = [line.split() for line in lines]
    return sorted({int(fields[0], 16) for fields in words
                   if len(fields) == 3 and fields[1] in "tTW"})


class Generator:
    """Random profiles over the functions of one image."""

    def __init__(self, seed, image):
        self.random = random.Random(seed)
        self.layout = Layout(image)
        self.ranges = []
        self.addresses = text_symbols(image)
        self.names = [line.split()[2] for line in must_run(
            ["nm", image]).decode().splitlines()
            if len(line.split()) == 3 and line.split()[1] in "tTW"]

    def address(self):
        """An address in some function, or rarely anywhere."""
        choice = self.random.random()
        if choice < 0.02:
            return self.random.randrange(self.addresses[-1] + 4096)
        if choice < 0.04:
            return 0
        return self.random.choice(self.addresses) + (
            self.random.randrange(64) if choice < 0.6 else 0)

    def count(self):
        return self.random.choice([
            0, 1, 1, 2, self.random.randrange(100),
            self.random.randrange(1000000), 0xffffffff])

    def bins(self, n):
        density = self.random.choice([0, 0.01, 0.3])
        return [self.random.randrange(1, 500)
                if self.random.random() < density else 0 for _ in range(n)]

    def choose_ranges(self):
        """Choose ranges of histograms for all files of a round: one, or several
        that do not overlap, all with bins of the same size."""
        low = self.addresses[0] & ~15
        high = (self.addresses[-1] | 15) + 1
        high = min(high, low + 0x40000)
        n = self.random.choice([1, 1, 1, 2, 3])
        step = (high - low) // n & ~63
        self.ranges = [(low + i * step, low + (i + 1) * step)
                       for i in range(n)]

    def histograms(self, units, dimension):
        for low, high in self.ranges:
            bins = self.bins((high - low) // (2 * units))
            yield self.layout.pack(
                "BPPII15sc", 0, low, high, len(bins), 100,
                dimension.encode(), dimension[:1].encode())
            yield self.layout.pack(f"{len(bins)}H", *bins)

    def arcs(self):
        # Few ends make cycles and repeated arcs, many make a wide graph.
        ends = [self.address() for _ in range(self.random.choice([6, 30, 200]))]
        for _ in range(self.random.choice([1, 10, 100, 400])):
            yield self.random.choice(ends), self.random.choice(ends)

    def new_file(self, units=1, dimension="seconds", kinds="hab"):
        records = []
        if "h" in kinds:
            records += self.histograms(units, dimension)
        if "a" in kinds:
            records += [self.layout.pack("BPPI", 1, *arc, self.count())
                        for arc in self.arcs()]
        if "b" in kinds:
            pairs = [self.layout.pack("PP", self.address(), self.count())
                     for _ in range(self.random.randrange(200))]
            records.append(self.layout.pack("BI", 2, len(pairs)))
            records += pairs
        header = b"gmon" + self.layout.pack("I", 1) + bytes(12)
        return header + b"".join(records)

    def old_file(self, is_44):
        low = self.addresses[0] & ~15
        bins = self.bins(2000)
        header_bytes = len(self.layout.pack("PPI", 0, 0, 0)) + 20 * is_44
        data = self.layout.pack("PPI", low, low + 4000,
                                header_bytes + 2 * len(bins))
        if is_44:
            data += self.layout.pack("II", 0x51879, 250) + bytes(12)
        data += self.layout.pack(f"{len(bins)}H", *bins)
        return data + b"".join(
            self.layout.pack("PPP", *arc, self.count()) for arc in self.arcs())

    def spec(self):
        """A selection of symbols by name or line, known or not."""
        name = self.random.choice(self.names)
        return self.random.choice(
            [name, name, name, f"nosuch{name}", "names.c:" + name,
             str(self.random.randrange(1, 40)), "cycles.c", "names_other.c:3"])

    def options(self):
        options = [option for option in (
            "-z", "-a", "-D", "-l", "-L", "--no-demangle", "-w60", "-C", "-T")
            if self.random.random() < 0.2]
        if self.random.random() < 0.2:
            options += ["-c", "--gnu-bugs"]
        selecting = ["-p", "-P", "-q", "-Q", "-n", "-N", "-e", "-E", "-f", "-F",
                     "-C", "-Z"]
        arcs = ["-q", "-Q", "-k"]
        for _ in range(self.random.choice([0, 0, 0, 1, 1, 2, 4])):
            if self.random.random() < 0.2:
                options.append(f"{self.random.choice(arcs)}{self.spec()}/"
                               f"{self.random.choice([self.spec(), ''])}")
            else:
                options.append(self.random.choice(selecting) + self.spec())
        return options


def compare_random(comparison, folder, seed, rounds):
    generator = Generator(seed, os.path.join(folder, "program"))
    for i in range(rounds):
        generator.choose_ranges()
        shape = generator.random.random()
        n_files = generator.random.choice([1, 1, 1, 2, 3])
        if shape < 0.1:
            files = [generator.old_file(shape < 0.05) for _ in range(n_files)]
        else:
            units = generator.random.choice([1, 1, 2, 4])
            kinds = generator.random.choice(["hab", "hab", "ha", "ha", "h", "a"])
            dimension = "seconds" if shape < 0.9 else "cycles"
            files = [generator.new_file(units, dimension, kinds)
                     for _ in range(n_files)]
        names = [f"random-{i}-{j}.out" for j in range(n_files)]
        for name, data in zip(names, files):
            with open(os.path.join(folder, name), "wb") as out:
                out.write(data)
        for _ in range(4):
            comparison.compare(folder, generator.options(), "program", names)
        comparison.compare(folder, [], "program", names)


def main():
    parser = argparse.ArgumentParser()
    for tool in ("arcline", "gprof", "cc", "cxx"):
        parser.add_argument("--" + tool, required=True)
    parser.add_argument("--clang")
    parser.add_argument("--clangxx")
    parser.add_argument("--work", default="differential")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--more", action="store_true")
    args = parser.parse_args()
    for variable in ("GPROF_PATH", "GMON_OUT_PREFIX"):
        os.environ.pop(variable, None)
    os.environ["LC_ALL"] = "C"

    comparison = Comparison(args)
    n_programs = 0
    for i, (name, sources, command) in enumerate(builds(args)):
        folder = os.path.join(args.work, name)
        build(folder, sources, command)
        n_programs += 1
        for options in FIXED_OPTIONS:
            comparison.compare(folder, options, "program", ["gmon.out"])
        compare_random(comparison, folder, args.seed * 1000 + i, args.rounds)
    print(f"{n_programs} programs: {comparison.n_equal} reports equal, "
          f"{comparison.n_different} different, {comparison.n_refused} refused "
          f"by both, {comparison.n_given_up} that only GNU gprof gives up on")
    return 1 if comparison.n_different or not comparison.n_equal else 0


if __name__ == "__main__":
    sys.exit(main())
