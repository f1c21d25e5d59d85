#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Read a call graph from standard input like gprof2dot and similar programs.

Lines up to the last one of the header are skipped; then entries follow, each up
to a line of dashes, until a line that is a form feed. Prints the entries: their
own line, callers and callees. A line that is none of these is an error.
"""

import re
import sys

HEADER = re.compile(
    r"^\s+called/total\s+(parents|children)\s*$|"
    r"^index\s+%time\s+self\s+descendants\s+called\+self\s+name\s+index\s*$|"
    r"^index\s+%\s+time\s+self\s+children\s+called\s+name\s*$")
NUMBER = r"\s+\d+\.\d+"
NAME = r"\s+(?P<name>\S.*?)(\s+<cycle\s\d+>)?\s[\[(](?P<index>\d+)[\])]$"
OWN = re.compile(r"^\[(?P<tag>\d+)\]?" + NUMBER * 3 +
                 r"(\s+(?P<called>\d+)(\+\d+)?)?" + NAME)
WHOLE = re.compile(r"^\[(?P<tag>\d+)\]?" + NUMBER * 3 +
                   r"(\s+(?P<called>\d+)(\+\d+)?)?\s+<cycle (?P<name>\d+) as a "
                   r"whole>\s\[(?P<index>\d+)\]$")
OTHER = re.compile(rf"^({NUMBER})?({NUMBER})?\s+(?P<called>\d+)([/+]\d+)?" +
                   NAME)
SPONTANEOUS = re.compile(r"^\s+<spontaneous>$")


def main():
    lines = [line.rstrip("\n") for line in sys.stdin]
    i = 0
    while not HEADER.match(lines[i]):
        i += 1
    while HEADER.match(lines[i]):
        i += 1
    entry = []
    while lines[i] != "\f":
        if re.match(r"^--+$", lines[i]):
            for line in entry:
                match = OWN.match(line) or WHOLE.match(line) or OTHER.match(
                    line)
                if match:
                    print(line.startswith("["), match["name"], match["called"],
                          match["index"])
                elif not SPONTANEOUS.match(line):
                    sys.exit(f"not understood: {line!r}")
            print()
            entry = []
        elif lines[i].strip():
            entry.append(lines[i])
        i += 1


if __name__ == "__main__":
    main()
