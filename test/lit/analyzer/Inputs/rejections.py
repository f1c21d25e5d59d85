#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Give input that GNU gprof rejects to both analyzers.

    rejections.py GPROF ARCLINE

Runs in a folder with mkgmon.py's output of PROFILES and the images that the table names. GNU gprof
must end with 1; arcline with 2, nothing on standard output, and one line on standard error: the one
of the table. Prints differences.
"""

import subprocess
import sys

TABLE = [
    # Images.
    ("nosuch", "nosuch: No such file or directory"),
    ("empty", "empty: not an ELF file"),
    ("ok.gmon", "ok.gmon: not an ELF file"),
    ("no-text", "no-text: the ELF file has no executable section"),
    ("stripped ok.gmon", "stripped: no symbol"),
    # Profiles.
    ("image nosuch", "nosuch: No such file or directory"),
    ("image ok.gmon nosuch", "nosuch: No such file or directory"),
    ("image empty", "empty: too short for a gmon file: it has 0 bytes"),
    ("image short", "short: too short for a gmon file: it has 12 bytes"),
    ("image no-header.gmon", 'no-header.gmon: not a gmon file: no "gmon"'),
    ("image version.gmon", "version.gmon: version 7 at offset 4 is not known"),
    ("image tag.gmon", "tag.gmon: unknown record tag 9 at offset 246"),
    ("image cut-header", "cut-header: cut short: the histogram record at "
                         "offset 20"),
    ("image cut-bins", "cut-bins: the histogram record at offset 20 claims 32"),
    ("image cut-arc.gmon", "cut-arc.gmon: cut short: the arc record at "
                           "offset 41"),
    ("-l image cut-blocks", "cut-blocks: the block record at offset 20 claims "
                            "2 blocks"),
    ("image overlap.gmon", "overlap.gmon: the histogram at offset 125, of "
                           "0x1020 to 0x1060, overlaps one of 0x1000"),
    ("image scales.gmon", "scales.gmon: the histogram at offset 93 has bins "
                          "of 8 bytes, and an earlier one of 2"),
    ("image unit.gmon", "unit.gmon: the histogram at offset 93 counts cycles, "
                        "and an earlier one seconds"),
    ("image ok.gmon unit.gmon", "unit.gmon: the histogram at offset 20"),
    ("image letter.gmon", "letter.gmon: the histogram at offset 93 "
                          "abbreviates its unit to 't'"),
    # Records that a report needs.
    ("-p image arcs.gmon", "arcs.gmon: no histogram in it"),
    ("-T -p image arcs.gmon", "arcs.gmon: no histogram in it"),
    ("-q image hist.gmon", "hist.gmon: no arcs in it"),
    ("-qmain image header.gmon", "header.gmon: no arcs in it"),
    # Formats.
    ("-Om image no-header.gmon", "no-header.gmon: not a gmon file: it does "
                                 'not begin with "gmon"'),
    ("-O4 image ok.gmon", "ok.gmon: not a gmon file of 4.4BSD"),
    ("-Op image ok.gmon", "-O p: files of prof(1) cannot be read"),
    ("-Oxyz image ok.gmon", "-O xyz: unknown file format"),
    # Orders and lists of symbols.
    ("-r -R nosuch image ok.gmon", "-r and -R exclude one another"),
    ("-R nosuch image ok.gmon", "nosuch: No such file or directory"),
    ("-S nosuch image ok.gmon", "nosuch: No such file or directory"),
    ("-S empty image ok.gmon", "empty: no symbols of functions"),
    # Options.
    ("--demangle=gnu image ok.gmon", "--demangle=gnu: unknown style"),
    ("-g image ok.gmon", "-g: unknown or ambiguous option"),
    ("--no image ok.gmon", "--no: unknown or ambiguous option"),
    ("--brief=1 image ok.gmon", "--brief=1: this option takes no argument"),
    ("image ok.gmon -k", "-k: this option needs an argument"),
]


def run(command):
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL,
                          capture_output=True)


def main():
    gprof, arcline = sys.argv[1:]
    for operands, sentence in TABLE:
        theirs = run([gprof, *operands.split()])
        ours = run([arcline, "gprof", *operands.split()])
        lines = ours.stderr.decode().splitlines()
        if (theirs.returncode != 1 or ours.returncode != 2 or ours.stdout or
                len(lines) != 1 or not lines[0].startswith("arcline: " +
                                                           sentence)):
            print(f"{operands}: GNU gprof {theirs.returncode}, arcline "
                  f"{ours.returncode}: {ours.stdout + ours.stderr}")


if __name__ == "__main__":
    main()
