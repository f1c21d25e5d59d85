#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a gmon file from a description.

    mkgmon.py [--symbols NM-OUTPUT] DESCRIPTION OUTPUT

DESCRIPTION is a text file, "-" is standard input. "#" begins a comment. One
item a line:

    width 32|64                 of an address; default 64
    order little|big            of bytes; default little
    version N                   default 1; must come before the first record
    spare HEX                   the header's 12 spare bytes, as far as given
    no-header                   leave the header out
    hist LOW HIGH [RATE [DIMENSION [ABBREVIATION]]]
                                a histogram; the bins follow, on lines of
                                their own, until the next item; "N*COUNT" is N
                                equal bins
    at ADDRESS COUNT            among the bins: samples at an address; the
                                bins are then 2 bytes of text wide
    arc FROM SELF COUNT
    blocks                      a block record; "ADDRESS COUNT" lines follow
    bsd LOW HIGH                header of the old format, bins follow
    bsd44 LOW HIGH RATE         header of 4.4BSD's format, bins follow
    old-arc FROM SELF COUNT
    raw HEX                     any bytes

An address is a number, a name in --symbols, or NAME+OFFSET.
"""

import argparse
import struct
import sys

TAG_HISTOGRAM, TAG_ARC, TAG_BLOCKS = 0, 1, 2


class Writer:
    def __init__(self, symbols):
        self.symbols = symbols
        self.width = 64
        self.order = "<"
        self.version = 1
        self.spare = b""
        self.has_header = True
        self.is_old = False
        self.records = []
        self.open = None  # the record whose lines follow

    def address(self, text):
        name, _, offset = text.partition("+")
        base = self.symbols.get(name)
        if base is None:
            base = int(name, 0)
        return base + (int(offset, 0) if offset else 0)

    def pack(self, codes, *values):
        wide = "Q" if self.width == 64 else "I"
        return struct.pack(self.order + codes.replace("P", wide), *values)

    def close(self):
        if self.open:
            self.records.append(self.open.finish())
        self.open = None

    def item(self, words):
        method = getattr(self, "do_" + words[0].replace("-", "_"), None)
        if method:
            self.close()
            method(*words[1:])
        elif self.open:
            self.open.line(words)
        else:
            raise ValueError(f"unknown item {words[0]!r}")

    def do_width(self, bits):
        self.width = int(bits)

    def do_order(self, name):
        self.order = {"little": "<", "big": ">"}[name]

    def do_version(self, number):
        self.version = int(number, 0)

    def do_spare(self, text):
        self.spare = bytes.fromhex(text)

    def do_no_header(self):
        self.has_header = False

    def do_hist(self, low, high, rate="100", dimension="seconds", abbr=None):
        self.open = Histogram(self, low, high)
        self.open.rate = int(rate, 0)
        self.open.dimension = dimension
        self.open.abbreviation = abbr or dimension[0]

    def do_bsd(self, low, high):
        self.is_old = True
        self.open = Histogram(self, low, high)

    def do_bsd44(self, low, high, rate):
        self.do_bsd(low, high)
        self.open.bsd44_rate = int(rate, 0)

    def do_arc(self, from_pc, self_pc, count):
        values = self.address(from_pc), self.address(self_pc), int(count, 0)
        self.records.append(self.pack("BPPI", TAG_ARC, *values))

    def do_old_arc(self, from_pc, self_pc, count):
        values = self.address(from_pc), self.address(self_pc), int(count, 0)
        self.records.append(self.pack("PPP", *values))

    def do_blocks(self):
        self.open = Blocks(self)

    def do_raw(self, *texts):
        self.records.append(bytes.fromhex("".join(texts)))

    def finish(self):
        self.close()
        header = b"gmon" + self.pack("I", self.version)
        header += self.spare.ljust(12, b"\0")
        has_header = self.has_header and not self.is_old
        return (header if has_header else b"") + b"".join(self.records)


class Histogram:
    def __init__(self, writer, low, high):
        self.writer = writer
        self.low = writer.address(low)
        self.high = writer.address(high)
        self.bins = []
        self.bsd44_rate = None

    def line(self, words):
        if words[0] == "at":
            if not self.bins:
                self.bins = [0] * ((self.high - self.low) // 2)
            place = (self.writer.address(words[1]) - self.low) // 2
            self.bins[place] += int(words[2], 0)
            return
        for word in words:
            times, star, count = word.partition("*")
            self.bins += [int(count, 0)] * int(times, 0) if star else [
                int(times, 0)]

    def finish(self):
        pack = self.writer.pack
        bins = pack(f"{len(self.bins)}H", *self.bins)
        if not self.writer.is_old:
            return pack("BPPII15sc", TAG_HISTOGRAM, self.low, self.high,
                        len(self.bins), self.rate, self.dimension.encode(),
                        self.abbreviation.encode()) + bins
        header = pack("PPI", self.low, self.high, 0)
        if self.bsd44_rate is not None:
            header += pack("II", 0x51879, self.bsd44_rate) + bytes(12)
        size = len(header) + len(bins)
        return pack("PPI", self.low, self.high, size) + header[
            len(pack("PPI", 0, 0, 0)):] + bins


class Blocks:
    def __init__(self, writer):
        self.writer = writer
        self.pairs = []

    def line(self, words):
        self.pairs.append((self.writer.address(words[0]), int(words[1], 0)))

    def finish(self):
        pack = self.writer.pack
        return pack("BI", TAG_BLOCKS, len(self.pairs)) + b"".join(
            pack("PP", *pair) for pair in self.pairs)


def read_symbols(path):
    symbols = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if len(words) == 3:
                symbols.setdefault(words[2], int(words[0], 16))
    return symbols


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--symbols")
    parser.add_argument("description")
    parser.add_argument("output")
    args = parser.parse_args()
    writer = Writer(read_symbols(args.symbols) if args.symbols else {})
    source = (sys.stdin if args.description == "-" else open(
        args.description, encoding="utf-8"))
    for number, line in enumerate(source, 1):
        words = line.split("#")[0].split()
        try:
            if words:
                writer.item(words)
        except (ValueError, KeyError, TypeError) as error:
            sys.exit(f"{args.description}:{number}: {error}")
    with open(args.output, "wb") as out:
        out.write(writer.finish())


if __name__ == "__main__":
    main()
