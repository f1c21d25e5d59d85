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
    ("nosuch", "nosuch: cannot open: No such file or directory"),
    ("empty", "empty: not an ELF file"),
    ("ok.gmon", "ok.gmon: not an ELF file"),
    ("no-text", "no-text: ELF file has no executable section"),
    ("stripped ok.gmon", "stripped: no function symbols"),
    # Profiles.
    ("image nosuch", "nosuch: cannot open: No such file or directory"),
    ("image ok.gmon nosuch", "nosuch: cannot open: No such file or directory"),
    ("image empty", "empty: not a gmon file: 0 bytes"),
    ("image short", "short: not a gmon file: 12 bytes"),
    ("image no-header.gmon", 'no-header.gmon: not a gmon file: no "gmon"'),
    ("image version.gmon", "version.gmon: unknown version 7 at offset 4"),
    ("image tag.gmon", "tag.gmon: unknown record tag 9 at offset 246"),
    ("image cut-header", "cut-header: truncated: the histogram record at "
                         "offset 20"),
    ("image cut-bins", "cut-bins: truncated: the histogram record at offset 20 "
                       "declares 32"),
    ("image cut-arc.gmon", "cut-arc.gmon: truncated: the arc record at "
                           "offset 41"),
    ("-l image cut-blocks", "cut-blocks: truncated: the block record at offset 20 declares "
                            "2 blocks"),
    ("image overlap.gmon", "overlap.gmon: histogram at offset 125, "
                           "0x1020 to 0x1060, overlaps 0x1000"),
    ("image scales.gmon", "scales.gmon: histogram at offset 93 has bins "
                          "of 8 bytes, an earlier one has bins of 2"),
    ("image unit.gmon", "unit.gmon: histogram at offset 93 counts cycles, "
                        "an earlier one counts seconds"),
    ("image ok.gmon unit.gmon", "unit.gmon: histogram at offset 20"),
    ("image letter.gmon", "letter.gmon: histogram at offset 93 "
                          "has unit `t'"),
    # Records that a report needs.
    ("-p image arcs.gmon", "arcs.gmon: profile contains no histogram"),
    ("-T -p image arcs.gmon", "arcs.gmon: profile contains no histogram"),
    ("-q image hist.gmon", "hist.gmon: profile contains no arcs"),
    ("-qmain image header.gmon", "header.gmon: profile contains no arcs"),
    # Formats.
    ("-Om image no-header.gmon", 'no-header.gmon: not a gmon file: no "gmon" at offset 0'),
    ("-O4 image ok.gmon", "ok.gmon: not a gmon file of 4.4BSD"),
    ("-Op image ok.gmon", "-O p: files of prof(1) are not supported"),
    ("-Oxyz image ok.gmon", "-O xyz: unknown file format"),
    # Orders and lists of symbols.
    ("-r -R nosuch image ok.gmon", "-r and -R are mutually exclusive"),
    ("-R nosuch image ok.gmon", "nosuch: cannot open: No such file or directory"),
    ("-S nosuch image ok.gmon", "nosuch: cannot open: No such file or directory"),
    ("-S empty image ok.gmon", "empty: no function symbols"),
    # Options.
    ("--demangle=gnu image ok.gmon", "--demangle=gnu: unknown style"),
    ("-g image ok.gmon", "-g: unknown or ambiguous option"),
    ("--no image ok.gmon", "--no: unknown or ambiguous option"),
    ("--brief=1 image ok.gmon", "--brief=1: option takes no argument"),
    ("image ok.gmon -k", "-k: option requires an argument"),
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
