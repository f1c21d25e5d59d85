#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Give arcline each kind of malformed image and check its messages.

    malformed_images.py ARCLINE SANITIZERS
"""

import os
import struct
import sys
import zlib

from hostile import Elf, Gmon, Runner, plain_elf, write

LAST = 2**64 - 1
NO_SYMBOLS = r"no function symbols|symbol table is corrupt"
DAMAGED = r"symbol table is corrupt"
NO_ELF = r"not an ELF file"
NO_TEXT = r"no (section \.text|executable section)"


def changed(**header):
    elf = plain_elf()
    elf.header = header
    return elf.bytes()


def with_section(name, data=b"", **fields):
    elf = plain_elf()
    elf.section(name, data, **fields)
    return elf.bytes()


def with_text(**fields):
    elf = plain_elf()
    elf.sections[0].update(fields)
    return elf.bytes()


def with_symbol(name, value, **fields):
    elf = plain_elf()
    elf.symbol(name, value, **fields)
    return elf.bytes()


def notes(*parts):
    return with_section(".note.gnu.build-id", b"".join(parts), type=7, flags=2)


def note(name_bytes, desc_bytes, kind=3, rest=b"GNU\0" + bytes(20)):
    return struct.pack("<III", name_bytes, desc_bytes, kind) + rest


# Name, image, exit code, message or output.
IMAGES = [
    ("empty", b"", 2, NO_ELF),
    ("magic alone", b"\x7fELF", 2, NO_ELF),
    ("text", b"#!/bin/sh\nexit 0\n", 2, NO_ELF),
    ("archive", b"!<arch>\n" + bytes(99), 2, NO_ELF),
    ("class 0", changed(ident=b"\x7fELF\0\1\1" + bytes(9)), 2, NO_ELF),
    ("class 3", changed(ident=b"\x7fELF\3\1\1" + bytes(9)), 2, NO_ELF),
    ("byte order 7", changed(ident=b"\x7fELF\2\7\1" + bytes(9)), 2, NO_ELF),
    ("other class", changed(ident=b"\x7fELF\1\1\1" + bytes(9)), 2, ""),
    ("other order", changed(ident=b"\x7fELF\2\2\1" + bytes(9)), 2, ""),
    ("shentsize 0", changed(shentsize=0), 0, r"\bwork\b"),
    ("shentsize odd", changed(shentsize=65), 0, r"\bwork\b"),
    ("shentsize 65535", changed(shentsize=65535), 0, r"\bwork\b"),
    ("shnum 0", changed(shnum=0), 2, ""),
    ("shnum 0, many in section 0",
     changed(shnum=0, null={"size": 2**60}), 2, ""),
    ("shnum 65535", changed(shnum=65535), 2, ""),
    ("shoff past the end", changed(shoff=2**40), 2, ""),
    ("shoff wraps", changed(shoff=LAST - 15), 2, ""),
    ("shoff odd", changed(shoff=0x41), 2, ""),
    ("shstrndx past the end", changed(shstrndx=200), 0, r"\bwork\b"),
    ("shstrndx elsewhere", changed(shstrndx=0xffff, null={"link": 2**31}), 0,
     r"\bwork\b"),
    ("shstrndx is .text", changed(shstrndx=1), 0, r"\bwork\b"),
    ("phnum 65535", changed(phnum=65535, phoff=64), 0, r"\bwork\b"),
    ("phoff past the end", changed(phnum=4, phoff=2**60), 0, r"\bwork\b"),
    ("phentsize 0", changed(phnum=4, phoff=64, phentsize=0), 0, r"\bwork\b"),
    ("no .text", Elf().bytes(), 2, NO_TEXT),
    ("NOBITS .text", with_text(type=8), 0, r"\bwork\b"),
    ("size of .text 2^60", with_text(size=2**60), 0, r"\bwork\b"),
    ("offset of .text 2^60", with_text(offset=2**60), 0, r"\bwork\b"),
    ("offset + size wraps", with_text(offset=LAST - 7, size=64), 0, r"\bwork\b"),
    ("no bytes of .text", with_text(size=0), 0, ""),
    ("address of .text wraps", with_text(addr=LAST - 7), 0, ""),
    ("alignment 3", with_text(align=3), 0, ""),
    ("alignment 2^63", with_text(align=2**63), 0, ""),
    ("two .text", with_section(".text", bytes(8), flags=6), 0, r"\bwork\b"),
    ("name of a section past the end", with_section(".x", i_name=2**31), 0, ""),
    ("names without NUL",
     with_section(".shstrtab", b"\0.symtab\0.strtab\0.text", type=3), 0, ""),
    # Symbols.
    ("symtab entsize 0", with_section(".symtab", entsize=0), 2, NO_SYMBOLS),
    ("symtab entsize 1", with_section(".symtab", entsize=1), 2, NO_SYMBOLS),
    ("symtab size odd", with_section(".symtab", size=77), 2, NO_SYMBOLS),
    ("symtab size 2^60", with_section(".symtab", size=2**60), 2, NO_SYMBOLS),
    ("symtab past the end", with_section(".symtab", offset=2**40), 2,
     NO_SYMBOLS),
    ("symtab links to nothing", with_section(".symtab", link=99), 2, DAMAGED),
    ("symtab links to itself", with_section(".symtab", link=2), 2, ""),
    ("symtab links to 2^32-1", with_section(".symtab", link=2**32 - 1), 2,
     DAMAGED),
    ("strtab empty", with_section(".strtab", size=0), 2, DAMAGED),
    ("strtab without NUL", with_section(".strtab", b"\0main\0work\0leaf"), 2,
     DAMAGED),
    ("strtab NOBITS", with_section(".strtab", type=8), 2, DAMAGED),
    ("strtab past the end", with_section(".strtab", offset=2**40), 2, DAMAGED),
    ("name past the end", with_symbol(b"x", 0x1008, i_name=2**32 - 1), 0,
     r"\bwork\b"),
    ("section past the end", with_symbol(b"x", 0x1008, section=0xfeff), 0,
     r"\bwork\b"),
    ("section XINDEX, no table", with_symbol(b"x", 0x1008, section=0xffff), 0,
     r"\bwork\b"),
    ("value 2^64-1", with_symbol(b"x", LAST), 0, r"\bwork\b"),
    ("value 0", with_symbol(b"x", 0), 0, r"\bwork\b"),
    ("size 2^64-1", with_symbol(b"x", 0x1008, size=LAST), 0, r"\bwork\b"),
    ("unknown type", with_symbol(b"x", 0x1008, kind=0xff), 0, r"\bwork\b"),
    ("name is a format", with_symbol(b"%n%s%n", 0x1018), 0, r"\bwork\b"),
    # Notes.
    ("name of a note too long", notes(note(2**31, 20)), 0, r"\bwork\b"),
    ("description too long", notes(note(4, 2**32 - 1)), 0, r"\bwork\b"),
    ("sizes wrap", notes(note(2**32 - 4, 2**32 - 4)), 0, r"\bwork\b"),
    ("build-id of no bytes", notes(note(4, 0, rest=b"GNU\0")), 0, r"\bwork\b"),
    ("build-id of 200 bytes", notes(note(4, 200, rest=b"GNU\0" + bytes(200))),
     0, r"\bwork\b"),
    ("notes without bytes", notes(bytes(12) * 50), 0, r"\bwork\b"),
    ("half a note", notes(b"\4\0\0"), 0, r"\bwork\b"),
    # Where debug information may be.
    ("debuglink without NUL", with_section(".gnu_debuglink", b"x" * 9), 0,
     r"\bwork\b"),
    ("debuglink of a byte", with_section(".gnu_debuglink", b"\0"), 0, r"work"),
]


def chdr(kind, size, data, align=1):
    return struct.pack("<IIQQ", kind, 0, size, align) + data


def zdebug(size, data):
    return b"ZLIB" + struct.pack(">Q", size) + data


def compressed(name, data, flags=0x800):
    """An image with a compressed debug section beside a good one."""
    elf = dwarf_elf()
    elf.sections = [s for s in elf.sections if s["name"] != name]
    elf.section(name, data, flags=flags)
    return elf


# --- DWARF ---

UNIT = 1  # abbreviations
FUNC = 2
OTHER = 3
ABBREV = (b"\1\x11\1" b"\x10\x17\3\x08\x1b\x08\x11\1\x12\7\0\0"
          b"\2\x2e\0\3\x08\x11\1\x12\7\0\0")


def uleb(number):
    out = b""
    while True:
        out += bytes([number & 127 | (128 if number > 127 else 0)])
        number >>= 7
        if not number:
            return out


def line_program(body=None, version=4, min_inst=1, max_ops=1, line_base=-5,
                 line_range=14, opcode_base=13, tables=b"\0x.c\0\0\0\0\0",
                 length=None, header_length=None, lengths=None):
    if body is None:  # line 3 at 0x1000, line 4 at 0x1010
        body = (b"\0\x09\2" + struct.pack("<Q", 0x1000) + b"\3\2\1\2\x10\3\1\1"
                b"\2\x30\0\1\1")
    if lengths is None:
        lengths = b"\0\1\1\1\1\0\0\0\1\0\0\1"[:max(opcode_base - 1, 0)]
    rest = bytes([min_inst]) + (bytes([max_ops]) if version >= 4 else b"")
    rest += struct.pack("<BbBB", 1, line_base, line_range, opcode_base)
    rest += lengths + tables
    if header_length is None:
        header_length = len(rest)
    out = struct.pack("<H", version)
    out += b"\x08\0" if version == 5 else b""
    out += struct.pack("<I", header_length) + rest + body
    return struct.pack("<I", len(out) if length is None else length) + out


def unit(dies=b"", abbrev_offset=0, version=4, address=8, length=None,
         head=None):
    if head is None:
        head = (b"\1" + struct.pack("<I", 0) + b"x.c\0/src\0" +
                struct.pack("<QQ", 0x1000, 64))
    out = struct.pack("<H", version)
    out += (struct.pack("<BBI", 1, address, abbrev_offset) if version == 5 else
            struct.pack("<IB", abbrev_offset, address))
    out += head + dies + b"\0"
    return struct.pack("<I", len(out) if length is None else length) + out


def func(name=b"deep", low=0x1010, size=16):
    return b"\2" + name + b"\0" + struct.pack("<QQ", low, size)


def dwarf_elf(info=None, abbrev=None, line=None, more=None, more_abbrevs=b""):
    elf = plain_elf()
    elf.section(".debug_abbrev", ABBREV + more_abbrevs + b"\0"
                if abbrev is None else abbrev)
    elf.section(".debug_info", unit(func()) if info is None else info)
    elf.section(".debug_line", line_program() if line is None else line)
    for name, data in (more or {}).items():
        elf.section(name, data)
    return elf


def entry(attrs, value, tag=0x2e, children=0):
    """Debug information with one entry of an abbreviation of its own; the
    function after it shows whether reading went on."""
    abbrev = bytes([3]) + uleb(tag) + bytes([children])
    for attr, form in attrs:
        abbrev += uleb(attr) + uleb(form)
    return {"more_abbrevs": abbrev + b"\0\0",
            "info": unit(b"\3" + value + func())}


def extended(data, length=None):
    return b"\0" + uleb(len(data) if length is None else length) + data


SET = extended(b"\2" + struct.pack("<Q", 0x1000))
END = extended(b"\1")
V5 = b"\1\1\x08\1/src\0" + b"\2\1\x08\2\x0b"  # one folder, then files' form

LINES = [
    ("length 0", {"length": 0}), ("length 2", {"length": 2}),
    ("length 2^32-1", {"length": 2**32 - 1}),
    ("length reserved", {"length": 0xfffffff0}),
    ("length too large", {"length": 10**6}),
    *[(f"version {v}", {"version": v}) for v in (0, 1, 2, 3, 6, 65535)],
    ("header too long", {"header_length": 2**31}),
    ("header too short", {"header_length": 1}),
    ("no instruction length", {"min_inst": 0}),
    ("instructions of 255", {"min_inst": 255}),
    ("no operations", {"max_ops": 0}), ("255 operations", {"max_ops": 255}),
    ("no line range", {"line_range": 0}),
    ("opcode base 0", {"opcode_base": 0}), ("opcode base 1", {"opcode_base": 1}),
    ("opcode base 255", {"opcode_base": 255}),
    ("255 operands", {"lengths": b"\xff" * 12}),
    ("folders without end", {"tables": b"a\0" * 99}),
    ("files without end", {"tables": b"\0" + b"a\0\1\1\1" * 99}),
    ("folder out of range", {"tables": b"\0x.c\0\x7f\0\0\0"}),
    ("folder 2^64-1", {"tables": b"\0x.c\0" + uleb(LAST) + b"\0\0\0"}),
    ("v5, many files", {"version": 5, "tables": V5 + uleb(2**60)}),
    ("v5, many folders", {"version": 5, "tables": b"\1\1\x08" + uleb(2**63)}),
    ("v5, forms without end", {"version": 5, "tables": b"\xff" + b"\x80" * 99}),
    ("v5, files of nothing", {"version": 5, "tables": V5[:8] + b"\0" +
                              uleb(2**40)}),
    ("v5, unknown form", {"version": 5, "tables": b"\1\1\x7f\1"}),
    ("v5, string past the end", {"version": 5, "tables": b"\1\1\x1f\1" +
                                 b"\xff" * 4 + V5[9:] + b"\1x\0\0"}),
    ("v5, block past the end", {"version": 5, "tables": b"\1\2\x09\1" +
                                uleb(2**63) + bytes(9)}),
    ("LEB128 of 10^5 bytes", {"body": SET + b"\2" + b"\x80" * 10**5 + b"\1\1"
                              + END}),
    ("LEB128 without end", {"body": SET + b"\2" + b"\xff" * 99}),
    ("far advance", {"body": SET + (b"\1\2" + uleb(2**63)) * 9 + END}),
    ("advance by 2^64-1", {"body": SET + (b"\1\2" + uleb(LAST)) * 99 + END}),
    ("line -1", {"body": SET + b"\3\x70\1\2\4" + END}),
    ("line 2^63", {"body": SET + b"\3" + uleb(2**63) + b"\1\2\4" + END}),
    ("file 2^40", {"body": SET + b"\4" + uleb(2**40) + b"\1\2\4" + END}),
    ("file 0", {"body": SET + b"\4\0\1\2\4" + END}),
    ("extended of no bytes", {"body": SET + b"\0\0" * 99 + END}),
    ("extended past the end", {"body": SET + extended(b"\2", 2**63)}),
    ("unknown extended", {"body": SET + extended(b"\x99" * 40) + b"\1\2\4" + END}),
    *[(f"address of {n} bytes", {"body": extended(b"\2" + b"\x10" * n) + END})
      for n in (0, 1, 3, 9, 200)],
    ("no end", {"body": SET + b"\1\2\4\1"}),
    ("ends alone", {"body": END * 999}),
    ("empty sequences", {"body": (SET + b"\1" + END) * 999}),
    ("backwards", {"body": SET + b"\1" + extended(
        b"\2" + struct.pack("<Q", 0x0800)) + b"\1\2\4" + END}),
    ("overlapping", {"body": (SET + b"\1\2\x30" + END) * 99}),
    ("file defined past the end", {"body": SET + extended(b"\3x") + END}),
    ("all of memory", {"body": extended(b"\2" + bytes(8)) + b"\1\2" +
                       uleb(LAST) + END}),
]

INFOS = [
    ("length 0", {"info": unit(length=0)}),
    ("length 1", {"info": unit(length=1)}),
    ("length 2^32-1", {"info": unit(length=2**32 - 1)}),
    ("length reserved", {"info": unit(length=0xfffffff5)}),
    ("length too large", {"info": unit(length=2**31 - 1)}),
    ("length one too large", {"info": unit(func())[:-1]}),
    *[(f"version {v}", {"info": unit(func(), version=v)})
      for v in (0, 1, 3, 5, 6, 65535)],
    *[(f"addresses of {n} bytes", {"info": unit(func(), address=n)})
      for n in (0, 1, 3, 4, 255)],
    ("no abbreviations", {"abbrev": b""}),
    ("abbreviations past the end", {"info": unit(func(), 2**31)}),
    ("abbreviations without end", {"abbrev": b"\1\x11\1" + b"\x80" * 99}),
    ("equal abbreviations", {"abbrev": ABBREV * 500}),
    ("unknown abbreviation", {"info": unit(b"\x7f" * 20)}),
    ("unknown form", entry([(3, 0x7e)], bytes(30))),
    ("indirect form", entry([(3, 0x16)], b"\x16" * 30 + b"\x08x\0")),
    ("indirect form without end", entry([(3, 0x16)], b"\x16" * 9999)),
    ("block past the end", entry([(2, 9)], uleb(2**63))),
    ("block of 4 GiB", entry([(2, 4)], b"\xff" * 4)),
    ("string without NUL", {"info": unit(b"\2" + b"x" * 99)[:-1]}),
    ("name past the end", entry([(3, 0x0e), (0x11, 1), (0x12, 7)],
                                b"\xff" * 4 + func()[-16:])),
    ("name in another file", entry([(3, 0x1f21), (0x11, 1), (0x12, 7)],
                                   bytes(4) + func()[-16:])),
    ("name by index", entry([(3, 0x1a), (0x11, 1), (0x12, 7)],
                            uleb(2**60) + func()[-16:])),
    ("name is a number", entry([(3, 0x0b), (0x11, 1), (0x12, 7)],
                               b"\7" + func()[-16:])),
    ("address by index", entry([(3, 8), (0x11, 0x1b), (0x12, 0x1b)],
                               b"x\0" + uleb(2**60) + uleb(LAST))),
    ("end before start", {"info": unit(func(size=2**64 - 8))}),
    ("all of memory", {"info": unit(func(low=0, size=LAST))}),
    ("origin is itself", entry([(0x31, 0x13), (0x11, 1), (0x12, 7)],
                               struct.pack("<I", 46) + func()[-16:])),
    ("origin past the end", entry([(0x31, 0x13), (0x11, 1), (0x12, 7)],
                                  b"\xff" * 4 + func()[-16:])),
    ("origin in the header", entry([(0x31, 0x13), (0x11, 1), (0x12, 7)],
                                   b"\3\0\0\0" + func()[-16:])),
    ("origin in another file", entry([(0x31, 0x1f20), (0x11, 1), (0x12, 7)],
                                     bytes(4) + func()[-16:])),
    ("origin of a type unit", entry([(0x31, 0x20), (0x11, 1), (0x12, 7)],
                                    bytes(8) + func()[-16:])),
    ("sibling backwards", entry([(1, 0x13)], struct.pack("<I", 11))),
    ("sibling is itself", entry([(1, 0x13)], struct.pack("<I", 46))),
    ("sibling past the end", entry([(1, 0x13)], b"\xff" * 4)),
    ("imports itself", entry([(0x18, 0x10)], bytes(4), tag=0x3d)),
    ("children without end", {"info": unit(b"\3" * 5000),
                              "more_abbrevs": b"\3\x2e\1\0\0"}),
    ("ranges past the end", entry([(0x55, 0x17)], b"\xff" * 4)),
    ("ranges without end", entry([(0x55, 0x17)], bytes(4)) | {
        "more": {".debug_ranges": b"\1" * 1600}}),
    ("ranges by index", entry([(0x55, 0x23)], uleb(2**60))),
    ("unit without lines", {"info": unit(func(), head=b"\1" + b"\xff" * 4 +
                                         b"x\0y\0" + func()[-16:])}),
    ("no strings", {"more": {".debug_str": b"x" * 9, ".debug_line_str": b"x"}}),
]


def check(runner, name, data, code, pattern):
    """With all commands that read an image; the message of the first one must match pattern."""
    write("image", data)
    runner.expect(name, ["gprof", "-b", "image", "good"], code, pattern)
    for options in (["-l", "-A", "-x"], ["-l", "-C", "-z"], ["-c", "-q"]):
        arguments = ["gprof", "-b", *options, "image", "good"]
        if code:
            runner.run(f"{name} {options}", arguments)
        else:
            runner.expect(f"{name} {options}", arguments, 0, "")
    if not runner.is_sanitized:
        runner.run(f"{name}, annotated", ["annotate", "image", "good"])
        outputs = [word for form in ("lcov", "cobertura", "gcov-json", "llvm-sample", "pprof")
                   for word in ("--format=" + form, "-o", "exported." + form)]
        runner.run(f"{name}, exported", ["export", *outputs, "image", "good"])


def check_dwarf(runner):
    whole = dwarf_elf().bytes()
    write("image", whole)
    runner.expect("good", ["gprof", "-b", "-l", "image", "good"], 0,
                  r"deep \(x\.c:4 @ 1010\)|work \(x\.c:4 @ 1010\)")
    for name, fields in LINES:
        check(runner, f"line table, {name}",
              dwarf_elf(line=line_program(**fields)).bytes(), 0, r"\bwork\b")
    for name, fields in INFOS:
        check(runner, f"debug information, {name}",
              dwarf_elf(**fields).bytes(), 0, r"\bwork\b")
    step = 97 if runner.is_sanitized else 13
    for n in range(64, len(whole), step):
        write("image", whole[:n])
        runner.run(f"cut at {n}", ["gprof", "-l", "image", "good"])


def check_compressed(runner):
    line = line_program()
    small = zlib.compress(line)
    bomb = zlib.compress(bytes(50 << 20), 9)
    for name, section, data, flags in (
            ("good", ".debug_line", chdr(1, len(line), small), 0x800),
            ("size 2^40", ".debug_line", chdr(1, 2**40, small), 0x800),
            ("size 2^64-1", ".debug_line", chdr(1, LAST, small), 0x800),
            ("too small", ".debug_line", chdr(1, 5, small), 0x800),
            ("too large", ".debug_line", chdr(1, 5000, small), 0x800),
            ("garbage", ".debug_line", chdr(1, 100, b"x" * 50), 0x800),
            ("no bytes", ".debug_line", chdr(1, 100, b""), 0x800),
            ("half a header", ".debug_line", b"\1\0\0\0", 0x800),
            ("kind 0", ".debug_line", chdr(0, len(line), small), 0x800),
            ("kind 99", ".debug_line", chdr(99, len(line), small), 0x800),
            ("zstd garbage", ".debug_line", chdr(2, 100, b"\x28\xb5\x2f\xfd" +
                                                 b"\xff" * 50), 0x800),
            ("alignment", ".debug_line", chdr(1, len(line), small, 2**63), 0x800),
            ("bomb", ".debug_line", chdr(1, 50 << 20, bomb), 0x800),
            ("bomb of names", ".debug_str", chdr(1, 50 << 20, bomb), 0x800),
            ("old", ".zdebug_line", zdebug(len(line), small), 0),
            ("old, size 2^60", ".zdebug_line", zdebug(2**60, small), 0),
            ("old, no header", ".zdebug_line", b"ZLI", 0),
            ("old, no magic", ".zdebug_line", small, 0)):
        check(runner, f"compressed, {name}",
              compressed(section, data, flags).bytes(), 0, r"\bwork\b")
    # Sections that are not read stay compressed, alone and beside those that are.
    large = 200 << 20
    bomb = zlib.compress(bytes(large), 9)
    for part in ("frame", "macro", "info.dwo"):
        for section, data, flags in (
                (f".debug_{part}", chdr(1, len(line), small), 0x800),
                (f".debug_{part}", chdr(1, large, bomb), 0x800),
                (f".zdebug_{part}", zdebug(len(line), small), 0),
                (f".zdebug_{part}", zdebug(large, bomb), 0),
                (f".gnu.debuglto_.debug_{part}", chdr(1, large, bomb), 0x800)):
            for elf, code, said in ((plain_elf(), 2, "compile the image with -g"),
                                    (dwarf_elf(), 0, "x.c")):
                elf.section(section, data, flags=flags)
                write("image", elf.bytes())
                name = f"{section} of {len(data)} bytes"
                runner.expect(name, ["gprof", "-b", "-l", "image", "good"], 0,
                              r"\bwork\b")
                runner.expect(f"{name}, annotated", ["annotate", "image", "good"],
                              code, said)
    # Names of symbols and of sections.
    for name, header in ((".strtab", {}), (".names", {"shstrndx": 5})):
        elf = dwarf_elf()
        elf.section(name, chdr(1, large, bomb), flags=0x800, type=3)
        elf.header = header
        write("image", elf.bytes())
        runner.run(f"{name} compressed", ["gprof", "-l", "image", "good"])
    for name in (".text", ".symtab", ".strtab", ".gnu_debuglink", ".note"):
        elf = dwarf_elf()
        elf.section(name, chdr(1, 2**40, small), flags=0x806)
        write("image", elf.bytes())
        runner.run(f"{name} compressed", ["gprof", "-l", "image", "good"])


def check_references(runner):
    """Names in an image of paths that are not files, or not the user's."""
    os.mkfifo("pipe")
    here = os.getcwd()
    for target in (f"{here}/pipe", "pipe", "/dev/zero", "/dev/tty", "../image",
                   "/etc/shadow", "https://localhost/x", "x" * 9000, "image"):
        text = target.encode()
        link = text + b"\0" * (4 - len(text) % 4) + bytes(4)
        alone = plain_elf()
        alone.section(".gnu_debuglink", link)
        alternative = dwarf_elf(**entry(
            [(3, 0x1f21), (0x31, 0x1f20), (0x11, 1), (0x12, 7)],
            bytes(8) + func()[-16:]))
        alternative.section(".gnu_debugaltlink", text + b"\0" + bytes(20))
        source = dwarf_elf(
            info=unit(func(), head=b"\1" + bytes(4) + text + b"\0" +
                      here.encode() + b"\0" + func()[-16:]),
            line=line_program(tables=b"\0" + text + b"\0\0\0\0\0"))
        split = dwarf_elf(
            abbrev=b"\1\x4a\0\3\x08\x1b\x08\x10\x17\x76\x08\x11\1\x12\7\0\0\0",
            info=struct.pack("<IHBBIQ", 21 + len(text) * 2 + len(here) + 23, 5,
                             4, 8, 0, 1) + b"\1" + text + b"\0" +
            here.encode() + b"\0" + bytes(4) + text + b"\0" + func()[-16:])
        old_split = dwarf_elf(
            abbrev=b"\1\x11\0" + uleb(0x2130) + b"\x08\x1b\x08\x10\x17" +
            uleb(0x2131) + b"\7\x11\1\x12\7\0\0\0",
            info=unit(head=b"\1" + text + b"\0" + here.encode() + b"\0" +
                      bytes(4) + bytes(8) + func()[-16:]))
        for kind, elf in (("debuglink", alone), ("altlink", alternative),
                          ("source", source), ("split", split),
                          ("old split", old_split)):
            image = write("image", elf.bytes())
            for options in (["-l"], ["-A"], ["-l", "-A"]):
                runner.expect(f"{kind} to {target[:40]} {options}",
                              ["gprof", "-b", *options, image, "good"], 0, "")


def main():
    runner = Runner(sys.argv[1], bool(sys.argv[2]))
    write("good", Gmon().hist().arc().blocks().data)
    for name, data, code, pattern in IMAGES:
        check(runner, name, data, code, pattern)
    check_dwarf(runner)
    check_compressed(runner)
    check_references(runner)
    runner.finish()


if __name__ == "__main__":
    main()
