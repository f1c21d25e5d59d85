# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the programs whose profiles are compared, and provides their properties (layout of
numbers, symbols, functions with lines)."""

import itertools
import os
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "programs")

CYCLES = ["cycles.c"]
NAMES = ["names.c", "names_other.c", "other/names.c"]
OBJECTS = ["objects.cpp"]
CLONES = ["clones.c"]
SECTIONS = ["sections.c", "assembly.S"]
BLOCKS = ["blocks.c"]
FORWARD = ["forward.c"]
ALONE = "-nostdlib -static -Wl,-e,main -Wl,--unresolved-symbols=ignore-all"

# Compiler, sources and options. Relative means: debug information has relative paths of
# copied sources. Foreign programs are not run; their profiles are made up. Forward ones
# have calls to later functions only.
BUILDS = [
    ("gcc", CYCLES, "-O0 -g -fPIE -pie"),
    ("gcc", CYCLES, "-O2 -gdwarf-4 -fno-pie -no-pie"),
    ("gcc", CYCLES, "-O1 -g0 -static"),
    ("gcc", CYCLES, f"-O1 -g -m32 -fno-pie -no-pie {ALONE} foreign"),
    ("clang", CYCLES, "-O1 -gdwarf-5 -fno-pie -no-pie"),
    ("gcc", NAMES, "-O0 -gdwarf-4 -fno-pie -no-pie"),
    ("gcc", NAMES, "-O1 -g -fPIE -pie relative"),
    ("gcc", NAMES, "-O2 -g0 -fno-pie -no-pie"),
    ("clang", NAMES, "-O0 -gdwarf-5 -fPIE -pie"),
    ("clang", NAMES, "-O2 -gdwarf-4 -fno-pie -no-pie relative"),
    ("gcc", OBJECTS, "-O0 -g -fPIE -pie"),
    ("gcc", OBJECTS, "-O2 -gdwarf-4 -fno-pie -no-pie"),
    ("clang", OBJECTS, "-O1 -gdwarf-5 -fPIE -pie"),
    ("clang", OBJECTS, "-O2 -g0 -fno-pie -no-pie"),
    ("gcc", CLONES, "-O2 -g -fno-pie -no-pie"),
    ("gcc", CLONES, "-O2 -g0 -fPIE -pie"),
    ("gcc", CLONES, "-O3 -gdwarf-4 -ffunction-sections -fPIE -pie"),
    ("clang", CLONES, "-O2 -gdwarf-5 -fno-pie -no-pie"),
    ("gcc", SECTIONS, "-O1 -g -DHAS_IFUNC -fno-pie -no-pie"),
    ("gcc", SECTIONS, "-O2 -g0 -fPIE -pie"),
    ("clang", SECTIONS, "-O1 -gdwarf-4 -DHAS_IFUNC -fPIE -pie"),
    ("gcc", BLOCKS, "-O0 -g -fPIE -pie"),
    ("gcc", BLOCKS, "-O2 -gdwarf-4 -fno-pie -no-pie -static"),
    ("clang", BLOCKS, "-O1 -gdwarf-5 -fPIE -pie"),
    ("gcc", FORWARD, f"-O0 -g -fno-pie -no-pie {ALONE} foreign forward"),
    ("clang", FORWARD, f"-O1 -g -m32 -fno-pie -no-pie {ALONE} foreign forward"),
]


def all_builds():
    """Every combination of sources and common options."""
    for sources in (CYCLES, NAMES, OBJECTS, CLONES, SECTIONS, BLOCKS):
        for compiler, level, link, debug in itertools.product(
                ("gcc", "clang"), ("-O0", "-O1", "-O2", "-O3", "-Os"),
                ("-fPIE -pie", "-fno-pie -no-pie", "-fno-pie -no-pie -static"),
                ("-gdwarf-5", "-gdwarf-4", "-g0")):
            yield compiler, sources, f"{level} {debug} {link}"


def must_run(command, **kwargs):
    done = subprocess.run(command, capture_output=True, check=False, **kwargs)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode()}")
    return done.stdout.decode()


class Layout:
    """How numbers are stored in the profiles of an image."""

    def __init__(self, image):
        with open(image, "rb") as file:
            ident = file.read(16)
        self.is_64_bit = ident[4] == 2
        self.order = "<" if ident[5] == 1 else ">"

    def _format(self, codes):
        return self.order + codes.replace("P", "Q" if self.is_64_bit else "I")

    def pack(self, codes, *values):
        return struct.pack(self._format(codes), *values)

    def unpack(self, codes, data, at):
        return struct.unpack_from(self._format(codes), data, at)

    def size(self, codes):
        return struct.calcsize(self._format(codes))


class Program:
    """A program that was built. name, folder and image are paths of it; in a
    forward one, all calls go to functions that come later."""

    def __init__(self, name, folder, is_foreign, is_forward=False):
        self.name = name
        self.folder = folder
        self.image = os.path.join(folder, "program")
        self.is_foreign = is_foreign
        self.is_forward = is_forward
        self.layout = Layout(self.image)
        # Address, class as nm prints it, and name.
        self.symbols = sorted(
            (int(words[0], 16), words[1], words[2])
            for words in (line.split(maxsplit=2) for line in must_run(
                ["nm", self.image]).splitlines())
            if len(words) == 3 and words[1] in "tTWiV")
        self.addresses = sorted({address for address, kind, _ in self.symbols
                                 if kind in "tTW"})
        self.lines = self._find_lines()
        self.response = []
        # For names of sums that are reported.
        self.sum_numbers = itertools.count()
        self.write_symbol_files()
        with open(os.path.join(folder, "header"), "wb") as out:
            out.write(b"gmon" + self.layout.pack("I", 1) + bytes(12))

    def _find_lines(self):
        """Functions with a line: (name, base name of the file, line)."""
        symbols = [symbol for symbol in self.symbols if symbol[1] in "tTW"]
        places = must_run(["addr2line", "-e", self.image,
                           *(hex(address) for address, _, _ in symbols)])
        found = []
        for (_, _, name), place in zip(symbols, places.splitlines()):
            file, _, line = place.split(" ")[0].rpartition(":")
            if line.isdigit() and int(line):
                found.append((name, os.path.basename(file), int(line)))
        return found

    def write_response(self, options):
        """Write a response file."""
        self.response = options
        with open(os.path.join(self.folder, "options"), "w") as out:
            out.write(" ".join(options))

    def write_symbol_files(self):
        """Write files for -S, with some lines that are no symbols, and -R.
        They avoid reads of uninitialised memory in GNU gprof: the last symbol is above all samples,
        and no file of the map has two."""
        with open(os.path.join(self.folder, "symbols"), "w") as out:
            out.write("0000 x\n")
            for address, kind, name in self.symbols:
                out.write(f"{address:016x} {kind} {name}\n")
            out.write("fffffff0 T the_end\n")
        names = [name for _, kind, name in self.symbols if kind in "tT"]
        with open(os.path.join(self.folder, "map"), "w") as out:
            for i, name in enumerate(names):
                if i % 7:
                    out.write(f"part{i}.o:{i:08x} T {name}\n")
            out.write("No symbols in nothing.o\n")
            out.write("unknown.o:00000000 T no_such_function\n")


def build_name(compiler, sources, text):
    """A name for a build, and its folder."""
    return "".join([sources[0].split(".")[0], "-", compiler,
                    *(option for option in text.split()
                      if option[:2] in ("-O", "-g", "-m") or
                      option in ("-pie", "-static"))])


def build(tools, work, compiler, sources, text):
    """Build and run a program."""
    options = text.split()
    marks = {"relative", "foreign", "forward"} & set(options)
    options = [option for option in options if option not in marks]
    is_cxx = sources[0].endswith(".cpp")
    name = build_name(compiler, sources, text)
    folder = os.path.join(os.path.abspath(work), name)
    os.makedirs(folder, exist_ok=True)
    paths = [os.path.join(SOURCES, source) for source in sources]
    if "relative" in marks:
        shutil.copytree(SOURCES, os.path.join(folder, "src"), dirs_exist_ok=True)
        paths = [os.path.join("src", source) for source in sources]
        options.append(f"-fdebug-prefix-map={folder}=.")
    must_run([tools[compiler + "++" if is_cxx else compiler], "-w", "-pg",
              *options, *paths, "-o", "program"], cwd=folder)
    if "foreign" not in marks:
        must_run(["./program"], cwd=folder)
    return Program(name, folder, "foreign" in marks, "forward" in marks)
