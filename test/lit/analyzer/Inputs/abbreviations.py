#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Try every abbreviation of GNU gprof's long options on both analyzers.

    abbreviations.py GPROF ARCLINE

Each is tried alone and with an argument, before the name of an image that does not exist: both must
reject the same one, the option or the image. Prints differences.
"""

import subprocess
import sys

OPTIONS = """annotated-source no-annotated-source exec-counts no-exec-counts
file-info flat-profile no-flat-profile graph no-graph function-ordering
file-ordering sum no-static brief static-call-graph ignore-non-functions
external-symbol-table line all-lines demangle no-demangle directory-path
display-unused-functions inline-file-names min-count print-path separate-files
table-length time no-time width debug help version file-format
traditional""".split()


REFUSALS = [b"unknown or ambiguous option", b"requires an argument",
            b"takes no argument"]


def refuses_option(command, option, signs):
    done = subprocess.run([*command, option, "/nosuch"], check=False,
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          stdout=subprocess.DEVNULL)
    return any(sign in done.stderr for sign in signs)


def main():
    gprof, arcline = sys.argv[1:]
    prefixes = {name[:i + 1] for name in OPTIONS for i in range(len(name))}
    for prefix in sorted(prefixes):
        for option in ("--" + prefix, f"--{prefix}=5"):
            if (refuses_option([gprof], option, [b"Usage: "]) !=
                    refuses_option([arcline, "gprof"], option, REFUSALS)):
                print(option)


if __name__ == "__main__":
    main()
