# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hostile input for the analyzer: a writer of small ELF files, and a runner that checks arcline: it
must end by itself, soon, with exit code 0 or 2, in bounded memory and stack, and report the file
and its problem in one line.
"""

import os
import re
import struct
import subprocess
import sys

MIB = 1 << 20
MESSAGE = re.compile(rb"arcline: (warning: )?[\x20-\x7e\x80-\xff]{8,1100}\n")
SECONDS = 20


class Elf:
    """An ELF file. Sections are dicts of the fields of a section header, with
    name and data beside them; any field may lie."""

    def __init__(self, bits=64, order="<", machine=62):
        self.bits = bits
        self.order = order
        self.machine = machine
        self.header = {}
        self.segments = []
        self.sections = []
        self.symbols = []

    def pack(self, codes, *values):
        """Pack numbers; P and N are as wide as a pointer."""
        wide = "Q" if self.bits == 64 else "I"
        masked = [v % 2**64 if isinstance(v, int) else v for v in values]
        return struct.pack(self.order + codes.replace("P", wide), *masked)

    def section(self, name, data=b"", **fields):
        self.sections.append({"name": name, "data": data, **fields})
        return len(self.sections)  # after the null section

    def symbol(self, name, value, kind=0x12, section=1, **fields):
        """kind: 0x12 is a global function."""
        self.symbols.append({"name": name, "value": value, "kind": kind,
                             "section": section, **fields})

    def symbol_table(self):
        names, table = b"\0", [self.one_symbol(0, 0, 0, 0, 0)]
        for symbol in self.symbols:
            i_name = symbol.get("i_name", len(names))
            if isinstance(symbol["name"], bytes):
                names += symbol["name"] + b"\0"
            table.append(self.one_symbol(
                i_name, symbol["value"], symbol.get("size", 16),
                symbol["kind"], symbol["section"]))
        return b"".join(table), names

    def one_symbol(self, name, value, size, info, section):
        if self.bits == 64:
            return self.pack("IBBHQQ", name, info, 0, section, value, size)
        return self.pack("IIIBBH", name, value, size, info, 0, section)

    def section_header(self, fields):
        keys = ("i_name", "type", "flags", "addr", "offset", "size", "link",
                "info", "align", "entsize")
        return self.pack("IIPPPPIIPP", *(fields[key] for key in keys))

    def bytes(self):
        wide = self.bits == 64
        sections = [dict(section) for section in self.sections]
        if self.symbols:
            table, names = self.symbol_table()
            for section, data, more in (
                    (".strtab", names, {"type": 3}),
                    (".symtab", table, {"type": 2, "info": 1,
                                        "entsize": 24 if wide else 16})):
                more.setdefault("link", [s["name"] for s in sections].index(
                    ".strtab") + 1 if section == ".symtab" else 0)
                found = [s for s in sections if s["name"] == section]
                if found:  # given by hand, in part
                    for key, value in {"data": data, **more}.items():
                        found[0].setdefault(key, value)
                else:
                    sections.append({"name": section, "data": data, **more})
        sections.append({"name": ".shstrtab", "type": 3})
        names = b"\0"
        out = bytearray(64 if wide else 52)
        for section in sections:
            section.setdefault("i_name", len(names))
            names += section["name"].encode() + b"\0"
            if section["name"] == ".shstrtab":
                section.setdefault("data", names)
        headers = [self.section_header(dict.fromkeys(
            ("i_name", "type", "flags", "addr", "offset", "size", "link",
             "info", "align", "entsize"), 0) | self.header.get("null", {}))]
        for section in sections:
            data = section.get("data", b"")
            out += bytes(-len(out) % 8)
            fields = {"type": 1, "flags": 0, "addr": 0, "offset": len(out),
                      "size": len(data), "link": 0, "info": 0, "align": 1,
                      "entsize": 0}
            fields.update((k, v) for k, v in section.items()
                          if k not in ("name", "data") and v is not None)
            headers.append(self.section_header(fields))
            out += data
        out += bytes(-len(out) % 8)
        fields = {"ident": b"\x7fELF" + bytes(
            [2 if wide else 1, 1 if self.order == "<" else 2, 1]) + bytes(9),
            "type": 2, "machine": self.machine, "version": 1, "entry": 0x1000,
            "phoff": 0, "shoff": len(out), "flags": 0,
            "ehsize": 64 if wide else 52, "phentsize": 56 if wide else 32,
            "phnum": 0, "shentsize": 64 if wide else 40,
            "shnum": len(headers), "shstrndx": len(headers) - 1}
        fields.update(self.header)
        fields.pop("null", None)
        out += b"".join(headers)
        head = fields.pop("ident") + self.pack("HHIPPPIHHHHHH",
                                               *fields.values())
        out[:len(head)] = head
        return bytes(out)


def plain_elf(bits=64, order="<", machine=62):
    """Functions main, work and leaf, of 16 bytes each, from 0x1000 on."""
    elf = Elf(bits, order, machine)
    elf.section(".text", b"\x90" * 64, flags=6, addr=0x1000, align=16)
    for i, name in enumerate((b"main", b"work", b"leaf")):
        elf.symbol(name, 0x1000 + 16 * i)
    return elf


class Gmon:
    """A gmon file."""

    def __init__(self, bits=64, order="<", version=1, magic=b"gmon",
                 spare=bytes(12)):
        self.bits = bits
        self.order = order
        self.data = magic + struct.pack(order + "I", version) + spare
        self.starts = []  # offsets of records

    def pack(self, codes, *values):
        wide = "Q" if self.bits == 64 else "I"
        return struct.pack(self.order + codes.replace("P", wide), *values)

    def raw(self, data):
        self.starts.append(len(self.data))
        self.data += data
        return self

    def hist(self, low=0x1000, high=0x1040, bins=(1,) * 32, n_bins=None,
             rate=100, dimension=b"seconds", abbreviation=b"s"):
        return self.raw(self.pack(
            "BPPII15sc", 0, low, high, len(bins) if n_bins is None else n_bins,
            rate & 0xffffffff, dimension, abbreviation) +
            self.pack(f"{len(bins)}H", *bins))

    def arc(self, caller=0x1004, callee=0x1010, count=1):
        return self.raw(self.pack("BPPI", 1, caller, callee, count))

    def blocks(self, pairs=((0x1000, 1), (0x1010, 2)), n=None):
        flat = [number for pair in pairs for number in pair]
        return self.raw(self.pack(
            f"BI{len(flat)}P", 2, len(pairs) if n is None else n, *flat))

    def old_blocks(self, n=2):
        block = struct.pack("QQ", 5, 0x1000) + b"file\0func\0" + bytes(4)
        return self.raw(self.pack("BI", 2, n) + b"names\0" + block * n)


def old_gmon(bits=64, order="<", low=0x1000, high=0x1040, n_bytes=None,
             is_bsd44=False, arcs=((0x1004, 0x1010, 3),), bins=(1,) * 32):
    gmon = Gmon(bits, order)
    n_header = 2 * bits // 8 + 4 + (20 if is_bsd44 else 0)
    size = n_header + 2 * len(bins) if n_bytes is None else n_bytes
    gmon.data = gmon.pack("PPI", low, high, size)
    if is_bsd44:
        gmon.data += gmon.pack("II12x", 0x51879, 100)
    gmon.raw(gmon.pack(f"{len(bins)}H", *bins))
    for arc in arcs:
        gmon.raw(gmon.pack("PPP", *arc))
    return gmon


class Runner:
    """Runs arcline and collects failures."""

    def __init__(self, arcline, is_sanitized):
        self.arcline = arcline
        self.is_sanitized = is_sanitized
        self.n_runs = 0
        self.failures = []

    def limits(self, n_input_bytes, stack_bytes):
        """The command that bounds another. A function that Python calls in the
        child would make it copy itself: four times slower."""
        command = ["prlimit", "--core=0", f"--fsize={64 * MIB}",
                   f"--cpu={SECONDS}"]
        if not self.is_sanitized:  # whose shadow has a size of its own
            command += [f"--data={64 * MIB + 16 * n_input_bytes}",
                        f"--stack={stack_bytes}"]
        return command

    def environment(self):
        """Leaks are searched for in one run of four: this takes as long as the rest."""
        return {**os.environ, "ASAN_OPTIONS": ":".join(
            [os.environ.get("ASAN_OPTIONS", ""),
             f"detect_leaks={int(self.n_runs % 4 == 0)}"])}

    def run(self, name, arguments, stdin=None, stack_bytes=256 * 1024,
            n_input_bytes=None):
        """Run a command. Returns code, stdout, stderr; code None is a failure
        that is recorded already."""
        if n_input_bytes is None:
            n_input_bytes = sum(
                os.stat(a).st_size for a in arguments if os.path.isfile(a))
        self.n_runs += 1
        try:
            done = subprocess.run(
                [*self.limits(n_input_bytes, stack_bytes), self.arcline,
                 *arguments],
                stdin=stdin or subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, check=False, timeout=3 * SECONDS,
                env=self.environment())
        except subprocess.TimeoutExpired:
            self.fail(name, "does not end", b"")
            return None, b"", b""
        rest = MESSAGE.sub(b"", done.stderr)
        if done.returncode not in (0, 2):
            self.fail(name, f"ends with {done.returncode}", done.stderr)
        elif rest or (done.returncode == 2 and not done.stderr):
            self.fail(name, "says it in no proper message", done.stderr)
        else:
            return done.returncode, done.stdout, done.stderr
        return None, done.stdout, done.stderr

    def expect(self, name, arguments, code, pattern, **options):
        """Run; pattern must match the output (code 0) or the message."""
        found, out, err = self.run(name, arguments, **options)
        if found is None:
            return
        text = (err if code else out).decode("utf-8", "replace")
        if found != code:
            self.fail(name, f"ends with {found}, not {code}", err or out[-300:])
        elif not re.search(pattern, text, re.M):
            self.fail(name, f"does not say {pattern!r}", err or out[:2000])

    def fail(self, name, what, output):
        self.failures.append(
            f"{name}: {what}\n    {output.decode('utf-8', 'replace')[-1500:]}")

    def finish(self):
        print(f"{self.n_runs} runs, {len(self.failures)} failures")
        for failure in self.failures[:40]:
            print(failure)
        sys.exit(bool(self.failures))


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path
