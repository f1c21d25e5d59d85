# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the sizes of the loaded parts of an executable, by GNU readelf."""
import dataclasses
import fnmatch
import re
import subprocess

#  [16] .text   PROGBITS   0000000000001080 001080 000161 00  AX  0   0 16
SECTION = re.compile(
    r"^\s*\[\s*\d+\]\s+(?P<name>\S+)\s+(?P<type>\S+)\s+[0-9a-f]+\s+[0-9a-f]+\s+"
    r"(?P<size>[0-9a-f]+)\s+[0-9a-f]+\s+(?P<flags>[A-Za-z]+)\s")
#    27: 0000000000004028     8 OBJECT  LOCAL  DEFAULT   25 name
SYMBOL = re.compile(
    r"^\s*\d+:\s+[0-9a-f]+\s+(?P<size>0x[0-9a-f]+|\d+)\s+OBJECT\s+\S+\s+\S+\s+"
    r"\d+\s+(?P<name>\S+)")


class ElfError(Exception):
    """One sentence for the user."""


@dataclasses.dataclass(frozen=True)
class Sizes:
    """Bytes in memory; the counters are part of `other`."""
    text: int
    other: int
    counters: int


def readelf(option, path):
    done = subprocess.run(["readelf", "-W", option, path], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise ElfError(f"readelf cannot read {path}")
    return done.stdout.splitlines()


def counter_bytes(path, sections, pattern):
    """Of a section, or of all symbols that match."""
    if pattern in sections:
        return sections[pattern]
    matches = filter(None, map(SYMBOL.match, readelf("--symbols", path)))
    return sum(int(match["size"], 0) for match in matches
               if fnmatch.fnmatchcase(match["name"], pattern))


def sizes_of(path, counters):
    """counters: name of a section, pattern of symbols, or ""."""
    sections, text, other = {}, 0, 0
    for match in filter(None, map(SECTION.match, readelf("--sections", path))):
        size = int(match["size"], 16)
        if "A" not in match["flags"]:
            continue
        # Each thread has its own copy of .tbss; the image has none.
        if "T" in match["flags"] and match["type"] == "NOBITS":
            continue
        sections[match["name"]] = size
        if "X" in match["flags"]:
            text += size
        else:
            other += size
    if not sections:
        raise ElfError(f"readelf shows no sections of {path}")
    return Sizes(text, other,
                 counter_bytes(path, sections, counters) if counters else 0)
