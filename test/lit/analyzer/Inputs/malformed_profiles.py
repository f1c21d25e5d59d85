#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Give arcline each kind of malformed profile and check its messages.

    malformed_profiles.py ARCLINE SANITIZERS
"""

import os
import socket
import subprocess
import sys
import threading
import time

from hostile import Gmon, Runner, old_gmon, plain_elf, write

LAST = 2**64 - 1
CUT = r": truncated: the \w+ record at offset \d+ extends past the end of"
CLAIMS = r" at offset \d+ declares \d+ (bins|blocks), but only \d+ bytes "
TAG = r": unknown record tag \d+ at offset \d+; "

# Name, profile, exit code, message or output, options.
PROFILES = [
    ("empty", b"", 2, r"not a gmon file: 0 bytes, the "),
    ("half a header", b"gmon\1\0", 2, r"6 bytes, the header alone has 20"),
    ("header alone", Gmon().data, 0, r"\A\Z"),
    ("bad magic", Gmon(magic=b"gnom").arc().data, 2, r"not a gmon file: no "),
    ("bad magic, -Om", Gmon(magic=b"gnom").arc().data, 2,
     r'not a gmon file: no "gmon" at offset 0', "-Om"),
    ("text", b"void main() { return 0; }\n" * 9, 2, r"not a gmon file: no "),
    ("zeros", bytes(65536), 2,
     r"declares 0 bytes for itself and the samples, the header alone has 20"),
    ("version 2", Gmon(version=2).arc().data, 2, r"unknown version 2 at offset 4"),
    ("version 0x1ffff", Gmon(version=0x1ffff).data, 2, r"version 131071 at "),
    ("version 0", Gmon(version=0).hist().arc().data, 0, r"\bmain\b"),
    ("spare bytes", Gmon(spare=b"0123456789ab").hist().arc().data, 0, "main"),
    ("unknown tag", Gmon().arc().raw(b"\7").data, 2, r"tag 7 at offset 41; "),
    ("tag 255", Gmon().raw(b"\xff" * 40).data, 2, r"tag 255 at offset 20; "),
    # Histograms.
    ("low > high", Gmon().hist(0x1040, 0x1000).data, 2,
     r"its end, 0x1000, is not after its start, 0x1040"),
    ("low == high", Gmon().hist(0x1000, 0x1000).data, 2,
     r"its end, 0x1000, is not after its start, 0x1000"),
    ("high 2^64-1", Gmon().hist(0x1000, LAST).data, 0, r"Flat profile"),
    ("all addresses", Gmon().hist(0, LAST).data, 0, r"Flat profile"),
    ("odd range", Gmon().hist(0x1001, 0x1040).data, 0, r"\bmain\b"),
    ("no bins", Gmon().hist(bins=()).data, 0, r"no time accumulated"),
    ("no bins, no range", Gmon().hist(0, 0, bins=()).data, 0, r"no time "),
    ("one bin", Gmon().hist(bins=(7,)).data, 0, r"\bmain\b"),
    ("2^31-1 bins", Gmon().hist(n_bins=2**31 - 1).data, 2, CLAIMS),
    ("2^32-1 bins", Gmon().hist(n_bins=2**32 - 1).data, 2, CLAIMS),
    ("range is no multiple", Gmon().hist(0x1000, 0x1039).data, 0, r"\bmain\b"),
    ("more bins than bytes", Gmon().hist(0x1000, 0x1002).data, 0, "Flat"),
    ("more bins than half bytes", Gmon().hist(0x1000, 0x1001).data, 0, "Flat"),
    ("rate 0", Gmon().hist(rate=0).arc().data, 0, r"\bmain\b"),
    ("rate -1", Gmon().hist(rate=-1).data, 0, r"\bmain\b"),
    ("rate 2^31-1", Gmon().hist(rate=2**31 - 1).data, 0, r"\bmain\b"),
    ("dimension without NUL", Gmon().hist(dimension=b"D" * 15).data, 0, "DDDD"),
    ("dimension is a format", Gmon().hist(dimension=b"%n%s%n%s").data, 0,
     r"%n%s%n%s"),
    ("dimension changes", Gmon().hist(dimension=b"D" * 15).hist(
        0x1040, 0x1080, dimension=b"E" * 15).data, 2,
     r"counts E{15}, an earlier one counts D{15}; report them separately"),
    ("dimension with ESC changes", Gmon().hist(dimension=b"\x1b[2J").hist(
        0x1040, 0x1080, dimension=b"%n\n").data, 2,
     r"counts %n\?, an earlier one counts \?\[2J; report"),
    ("abbreviation changes", Gmon().hist().hist(
        0x1040, 0x1080, abbreviation=b"\x1b").data, 2,
     r"has unit `\?', an earlier one has `s'"),
    ("abbreviation NUL", Gmon().hist(abbreviation=b"\0").data, 0, r"\bmain\b"),
    ("overlap", Gmon().hist().hist(0x1020, 0x1060).data, 2,
     r"at offset 125, 0x1020 to 0x1060, overlaps 0x1000 to 0x1040"),
    ("overlap within", Gmon().hist().hist(
        0x1010, 0x1020, bins=(1,) * 8).data, 2, r"overlaps 0x1000 to"),
    ("other bins", Gmon().hist().hist(bins=(1,) * 16).data, 2,
     r"has bins of 4 bytes, an earlier one has bins of 2; report them separately"),
    ("scale differs by 1e-7", Gmon().hist(0x1000, 0x1000 + 64).hist(
        2**40, 2**40 + 2**28 * 2 + 2, bins=(0,)).data, 2, r"has bins of "),
    ("2000 ranges", b"".join(
        [Gmon().data] + [Gmon().hist(i * 64, i * 64 + 64).data[20:]
                         for i in range(2000)]), 0, r"\bmain\b"),
    ("too many ranges", b"".join(
        [Gmon().data] + [Gmon().hist(i * 64, i * 64 + 64).data[20:]
                         for i in range(5000)]), 2, r"too many histograms"),
    ("bins beyond 2^31", b"".join(
        [Gmon().data] + [Gmon().hist(bins=(65535,) * 32).data[20:]
                         for _ in range(33000)]), 0, r" 25\.00 173012400\.00 "),
    # Arcs.
    ("arc from 0 to 0", Gmon().arc(0, 0).data, 0, r"Call graph"),
    ("arc at the end", Gmon().arc(LAST, LAST).data, 0, r"Call graph"),
    ("arc outside", Gmon().arc(0x9000, 0x9000).data, 0, r"Call graph"),
    ("arc from outside", Gmon().arc(0x9000, 0x1010).data, 0, r"Call graph"),
    ("count 0", Gmon().arc(count=0).data, 0, r"Call graph"),
    ("count 2^32-1", b"".join([Gmon().data] + [
        Gmon().arc(count=2**32 - 1).data[20:]] * 3), 0, r"\b12884901885\b"),
    ("self arc", Gmon().arc(0x1010, 0x1010, 5).arc().data, 0, r"1\+5 +work"),
    ("cycle", Gmon().arc(0x1000, 0x1010).arc(0x1010, 0x1020).arc(
        0x1020, 0x1000).data, 0, r"work <cycle 1>"),
    ("unknown arcs only", Gmon().arc(1, 2).arc(3, 4).data, 0, r"Call graph"),
    # Blocks.
    ("no blocks", Gmon().blocks(()).data, 0, r"\A\Z", "-C"),
    ("2^32-1 blocks", Gmon().blocks(n=2**32 - 1).data, 2, CLAIMS),
    ("a block too many", Gmon().blocks(n=3).data, 2, CLAIMS),
    ("number of 8 bytes", Gmon().raw(
        b"\2" + (2).to_bytes(8, "little") + bytes(32)).data, 2, "|".join((CLAIMS, TAG, CUT))),
    ("equal addresses", Gmon().blocks(((0x1000, 2),) * 9).data, 0,
     r"0x1000\) 18 executions", "-C", "-l"),
    ("amid an instruction", Gmon().blocks(((0x1003, 2),)).data, 0,
     r"0x1003\) 2 executions", "-C", "-l"),
    ("block outside", Gmon().blocks(((LAST, 2), (0, LAST))).data, 0, "",
     "-C", "-l"),
    ("version 0 blocks", Gmon(version=0).old_blocks().data, 0,
     r"0x1000\) 10 executions", "-C", "-l"),
    ("version 0, no NUL", Gmon(version=0).raw(b"\2\1\0\0\0names").data, 2, CUT),
    ("version 0, many blocks", Gmon(version=0).raw(
        b"\2\xff\xff\xff\xffnames\0" + bytes(99)).data, 2, CUT),
    # The formats of BSD.
    ("old, too short", bytes(12), 2, r"not a gmon file: .* the header alone has 20", "-Ob"),
    ("old, many bins", old_gmon(n_bytes=2**32 - 1).data, 2,
     r"as a file of 4.2BSD, header at offset 0 declares \d+ bins, but only \d+ "),
    ("old, low > high", old_gmon(low=2, high=1).data, 2, r"bad address range, 0x2 to 0x1"),
    ("old, low == high", old_gmon(low=2, high=2).data, 2, r"bad address range, 0x2 to 0x2"),
    ("old, no bins", old_gmon(n_bytes=20).data, 0, r"no time accumulated"),
    ("old, odd bytes", old_gmon(n_bytes=20 + 63).data, 0, r"\bmain\b"),
    ("old, arcs of 2^64-1", old_gmon(arcs=((0x1004, 0x1010, LAST),) * 3).data,
     0, r"\bwork\b"),
    ("4.4BSD without mark", old_gmon().data, 2,
     r"not a gmon file of 4.4BSD: no magic number at offset 20", "-O4"),
    ("4.4BSD, many bins", old_gmon(is_bsd44=True, n_bytes=2**31).data, 2,
     r"corrupt: header at offset 0 declares \d+ bins, but only \d+ bytes"),
]

LAYOUTS = [(64, "<", 62), (64, ">", 21), (32, "<", 3), (32, ">", 8)]


def check_table(runner):
    write("image", plain_elf().bytes())
    for name, data, code, pattern, *options in PROFILES:
        write("bad", data)
        runner.expect(name, ["gprof", "-b", *options, "image", "bad"], code,
                      pattern)
    # Reading a file in another format is an error, or gives meaningless output; but it
    # ends.
    for name, data, *_ in PROFILES:
        write("bad", data)
        for more in (["-l", "-A", "-x"], ["-s"], ["-T", "-z", "-c"]):
            runner.run(f"{name} {more}", ["gprof", *more, "image", "bad"])
        runner.run(f"{name}, dumped", ["dump", "bad", "image"])


def check_cuts(runner):
    """Files that were cut after each byte."""
    for bits, order, machine in LAYOUTS:
        image = write("image", plain_elf(bits, order, machine).bytes())
        new = Gmon(bits, order).hist(0x1000, 0x1008, (1,) * 4).arc().blocks()
        old = Gmon(bits, order, 0).hist(0x1000, 0x1008, (1,) * 4).old_blocks()
        # All bytes of all layouts take long with sanitizers.
        step = 9 if runner.is_sanitized else 1
        for gmon in (new, old):
            for n in range(0, len(gmon.data), step):
                if n in gmon.starts or n == 0:
                    continue
                write("cut", gmon.data[:n])
                runner.expect(
                    f"{bits}{order} cut at {n}", ["gprof", image, "cut"], 2,
                    r"cut: (not a gmon file|truncated: the "
                    r"\w+ record at offset (?!0,)\d+|the \w+ record at offset "
                    r"\d+ claims)")
        for is_bsd44 in (False, True):
            gmon = old_gmon(bits, order, is_bsd44=is_bsd44, bins=(1,) * 4)
            n_head = len(gmon.data) - (3 * bits // 8)
            for n in range(0, len(gmon.data), step):
                write("cut", gmon.data[:n])
                # Arcs end where the file ends.
                runner.expect(
                    f"{bits}{order} old cut at {n}", ["gprof", image, "cut"],
                    2 if n < n_head else 0, r"cut: " if n < n_head else "")


def check_wrong_layouts(runner):
    """A profile of each layout with an image of each other one."""
    for i, (bits, order, machine) in enumerate(LAYOUTS):
        write("image", plain_elf(bits, order, machine).bytes())
        for k, layout in enumerate(LAYOUTS):
            write("other", Gmon(*layout[:2]).hist().arc().blocks().data)
            arguments = ["gprof", "image", "other"]
            if i == k:
                runner.expect(f"layout {i}", arguments, 0, r"\bwork\b")
            else:
                runner.expect(
                    f"layout {k} for {i}", arguments, 2,
                    r"byte order|the image has another|its end, 0x|declares|truncated")


def check_no_files(runner):
    """Paths that are no regular file, as image and as profile."""
    write("image", plain_elf().bytes())
    write("good", Gmon().hist().arc().data)
    os.mkdir("folder")
    os.mkfifo("fifo")
    os.symlink("loop", "loop")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        for path, profile, image in (
                ("folder", "folder contains no profile of",
                 "folder contains no side file to name"),
                ("fifo", "pipe has no writer", "not a regular file"),
                ("socket", "neither a regular file nor a pipe", "not a regular"),
                ("/dev/zero", "neither a regular file nor a pipe", "not a reg"),
                ("/dev/tty", "neither a regular file|No such", "not a reg|No s"),
                ("loop", "symbolic links", "symbolic links"),
                ("nosuch", "No such file", "No such file"),
                ("good/x", "Not a directory", "Not a directory"),
                ("x" * 300, "too long", "too long")):
            start = f"^arcline: {path}: .*"
            runner.expect(f"{path} as profile", ["gprof", "image", path], 2,
                          start + f"({profile})")
            runner.expect(f"{path} as image", ["gprof", path, "good"], 2,
                          start + f"({image})")
            runner.expect(f"{path} as side file",
                          ["gprof", "image", "good", path], 2, start)
    if runner.is_sanitized:  # and a gigabyte takes minutes
        return
    with open("/dev/zero", "rb") as zero:
        runner.expect("endless input", ["gprof", "image", "-"], 2,
                      r"^arcline: -: cannot read: File too large", stdin=zero,
                      n_input_bytes=2**31)


def check_pipes(runner):
    """Profiles through pipes, named or not."""
    with subprocess.Popen(["cat", "good"], stdout=subprocess.PIPE) as cat:
        runner.expect("a pipe", ["gprof", "image", "-"], 0, r"\bwork\b",
                      stdin=cat.stdout)
    with subprocess.Popen(["sh", "-c", "exec cat good > fifo"]):
        # The writer waits in open() for this reader; let it get there.
        time.sleep(0.3)
        runner.expect("a named pipe", ["gprof", "image", "fifo"], 0, r"\bwork\b")


def check_growing(runner):
    """A file that grows and shrinks all the time."""
    whole = Gmon().hist().arc().blocks().data * 1000
    is_done = threading.Event()

    def change():
        while not is_done.is_set():
            with open("growing", "r+b") as file:
                file.write(whole)
                file.truncate(20)

    write("growing", whole)
    changer = threading.Thread(target=change)
    changer.start()
    for i in range(20):
        runner.run(f"growing {i}", ["gprof", "image", "growing"],
                   n_input_bytes=len(whole))
    is_done.set()
    changer.join()


def main():
    runner = Runner(sys.argv[1], bool(sys.argv[2]))
    check_table(runner)
    check_cuts(runner)
    check_wrong_layouts(runner)
    check_no_files(runner)
    check_pipes(runner)
    check_growing(runner)
    runner.finish()


if __name__ == "__main__":
    main()
