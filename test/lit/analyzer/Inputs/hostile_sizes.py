#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Give arcline excessive input, for which work that grows faster than its size, or recursion, would
not end within the limits of hostile.py.

    hostile_sizes.py ARCLINE SANITIZERS
"""

import struct
import sys

from hostile import Elf, Gmon, Runner, write
from malformed_images import (dwarf_elf, END, SET, func, line_program, uleb,
                              unit)

NAMED = r"\bwork\b"


def functions(n, step=16, name=b"f%d"):
    """An image of n functions; quickly, so not by Elf.symbol()."""
    elf = Elf()
    elf.section(".text", b"", flags=6, addr=0x1000, size=max(n * step, 64),
                type=8)
    names, table = bytearray(b"\0"), bytearray(24)
    for i in range(n):
        table += struct.pack("<IBBHQQ", len(names), 0x12, 0, 1,
                             0x1000 + i * step, step)
        names += name.replace(b"%d", b"%d" % i) + b"\0"
    elf.section(".strtab", bytes(names), type=3)
    elf.section(".symtab", bytes(table), type=2, link=2, info=1, entsize=24)
    return elf.bytes()


def arcs(pairs):
    return Gmon().data + b"".join(
        struct.pack("<BQQI", 1, 0x1000 + 16 * caller, 0x1000 + 16 * callee, 1)
        for caller, callee in pairs)


def check_graphs(runner, n):
    write("image", functions(n))
    for name, pairs in (
            ("chain", ((i, i + 1) for i in range(n - 1))),
            ("chain upwards", ((i + 1, i) for i in range(n - 1))),
            ("cycle", ((i, (i + 1) % n) for i in range(n))),
            ("fan-out", ((0, i) for i in range(n))),
            ("fan-in", ((i, 0) for i in range(n))),
            ("one arc", ((0, 1) for i in range(n))),
            ("complete graph", ((i, k) for i in range(n // 300)
                                for k in range(n // 300)))):
        write("profile", arcs(pairs))
        runner.expect(f"{name} of {n}", ["gprof", "-b", "image", "profile"], 0,
                      r"Index by function name")
    write("profile", arcs(((0, 1),)))
    runner.expect("orders", ["gprof", "-r", "image", "profile"], 0, "")


def check_names(runner, n):
    nested = b"_Z1f" + b"P" * n + b"i"
    for name, text in (
            ("of a kind", b"x" * n), ("types within types", nested),
            ("templates", b"_Z1f" + b"I1aI" * (n // 4)),
            ("substitutions", b"_Z1f" + b"N1aI" * 20 + b"S_S0_" * (n // 5)),
            ("packs", b"_Z1fI" + b"J" * n), ("numbers", b"_Z" + b"9" * n),
            ("Rust", b"_RNvC" + b"NvC" * (n // 3)),
            ("escapes", b"\x1b[2J%n\n\xff\xfe" * (n // 10))):
        write("image", functions(2, 32, text))
        write("profile", Gmon().hist().data)
        runner.expect(f"names: {name}", ["gprof", "-b", "-p", "image",
                                         "profile"], 0, r" 50\.00 ")
    write("profile", Gmon().hist(0x1000, 0x1040).data)
    write("image", functions(n // 10, 0, b"same"))
    runner.expect("one address", ["gprof", "-b", "-p", "-z", "image", "profile"],
                  0, r"\bsame\b")
    write("image", functions(n // 10, 16, b"same"))
    runner.expect("one name", ["gprof", "-b", "-p", "-z", "-psame", "image",
                               "profile"], 0, r"\bsame\b")
    # GNU gprof continues with the next name if one ends in a number.
    write("image", functions(n // 10, 16, b"f.1"))
    runner.expect("names that go on", ["gprof", "-b", "image", "profile"], 0, "")


def check_lines(runner, n):
    many = b"".join(b"a/b/c.c\0\0\0\0" for _ in range(n // 10))
    rows = b"\1\2\1" * (n // 3)
    unit_bytes = unit(func())
    wide = b"\3\x2e\0" + (b"\x8b\1\x19" * (n // 6)) + b"\0\0"
    constants = b"\3\x2e\0" + b"\3\x21\0" * (n // 6) + b"\0\0"
    copies = b"".join(b"\3" + struct.pack("<I", 46) for _ in range(n // 5))
    for name, fields in (
            ("files", {"line": line_program(tables=b"\0" + many + b"\0")}),
            ("folders", {"line": line_program(
                tables=b"folder\0" * (n // 7) + b"\0x.c\0\1\0\0\0")}),
            ("rows", {"line": line_program(SET + rows + END)}),
            ("rows of one address", {"line": line_program(
                SET + b"\1" * n + b"\2\x20" + END)}),
            ("rows backwards", {"line": line_program(
                b"".join(b"\0\x09\2" + struct.pack("<Q", 0x1040 - i % 64) + b"\1"
                         for i in range(n // 12)) + b"\2\x40" + END)}),
            ("files by turns", {"line": line_program(
                SET + b"".join(b"\4" + uleb(i) + b"\1\2\1"
                               for i in range(n // 6)) + END)}),
            ("sequences", {"line": line_program((SET + b"\1\2\x10" + END) *
                                                (n // 17))}),
            ("units", {"info": unit_bytes * (n // len(unit_bytes))}),
            ("attributes of flags", {"more_abbrevs": wide, "info": unit(
                b"\3" * (n // 2) + func())}),
            ("attributes without bytes", {
                "more_abbrevs": constants,
                "info": unit(b"\3" * (n // 2) + func())}),
            ("copies", {"more_abbrevs": b"\3\x1d\0\x31\x13\0\0",
                        "info": unit(func() + copies)}),
            ("abbreviations", {"more_abbrevs": b"".join(
                uleb(i + 3) + b"\x34\0\0\0" for i in range(n // 6))})):
        write("image", dwarf_elf(**fields).bytes())
        for options in (["-l"], ["-A"], ["-l", "-C", "-z"]):
            runner.expect(f"many {name} {options}",
                          ["gprof", "-b", *options, "image", "profile"], 0, "")


def check_options(runner, n):
    write("image", functions(n))
    write("profile", arcs((i, i + 1) for i in range(n - 1)))
    few = min(n, 4000)
    runner.expect("options -k", ["gprof", "-b", "-q"] + [
        f"-kf{i}/f{i + 1}" for i in range(few)] + ["image", "profile"], 0,
        "Index")
    runner.expect("options -f", ["gprof", "-b"] + [
        f"-ff{i}" for i in range(few)] + ["image", "profile"], 0, "Index")


def main():
    runner = Runner(sys.argv[1], bool(sys.argv[2]))
    n = 30_000 if runner.is_sanitized else 100_000
    check_graphs(runner, n)
    check_names(runner, 10 * n)
    write("profile", Gmon().hist().arc().data)
    check_lines(runner, 3 * n)
    check_options(runner, n // 10)
    runner.finish()


if __name__ == "__main__":
    main()
