# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Build a program with and without mcount, and compare the arcs of its profiles.

  compare_arcs.py --arcline PROGRAM --nm PROGRAM [--argument TEXT]... COMMAND...

COMMAND compiles and links; "-o IMAGE" is added. The images are run with the arguments given.
Addresses are mapped to functions by each image's own symbol table; then the sums of calls from one
function to another must be equal. The profile made by mcount identifies the functions that count
calls: callers and callees that it lacks are left out as described below. Prints the number of
comparisons; exits 1 with every difference named.
"""
import argparse
import bisect
import collections
import os
import re
import subprocess
import sys

SPONTANEOUS = "<spontaneous>"


def run(*command, **settings):
    result = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **settings},
    )
    if result.returncode:
        sys.exit(f"{' '.join(command)}: exit {result.returncode}: {result.stderr}")
    return result.stdout


class Functions:
    """The functions of an image, in order of address."""

    def __init__(self, nm, image):
        at, sizes = {}, {}
        for row in run(nm, "-S", "--defined-only", image).splitlines():
            fields = row.split()
            if len(fields) == 4 and fields[2] in "tTwWiu":
                vaddr, size = int(fields[0], 16), int(fields[1], 16)
                # Constructors of complete and of base objects may be one.
                at[vaddr] = min(at.get(vaddr, fields[3]), fields[3])
                sizes[vaddr] = max(sizes.get(vaddr, 0), size)
        self.starts = sorted(at)
        self.sizes = [sizes[vaddr] for vaddr in self.starts]
        # Local functions of equal name are distinguished by their order.
        seen = collections.Counter()
        self.names = []
        for vaddr in self.starts:
            seen[at[vaddr]] += 1
            self.names.append(f"{at[vaddr]}#{seen[at[vaddr]]}")

    def at(self, vaddr):
        i = bisect.bisect_right(self.starts, vaddr) - 1
        if i < 0 or vaddr >= self.starts[i] + self.sizes[i]:
            return SPONTANEOUS
        return self.names[i]


def read_arcs(options, name, settings):
    """Build the program with these settings of the pass, and run it."""
    image, gmon = os.path.abspath(name), name + ".gmon"
    run(
        *options.command,
        "-g",
        "-fno-inline",
        "-fno-optimize-sibling-calls",
        "-o",
        image,
        ARCLINE_PASS_OPTIONS=settings,
    )
    run(image, *options.argument, ARCLINE_OPTIONS="out=" + gmon)
    functions = Functions(options.nm, image)
    arcs = collections.Counter()
    for row in run(options.arcline, "dump", gmon).splitlines():
        match = re.match(r"arc from=(\w+) self=(\w+) count=(\d+)", row)
        if match:
            caller, callee = (functions.at(int(match[i], 16)) for i in (1, 2))
            arcs[caller, callee] += int(match[3])
    return arcs


def restrict(arcs, counting):
    """The part of the arcs that concerns the functions that count.

    Calls by others (of the C library, or made by the compiler) come from nowhere. Indirect calls of
    others are counted by their callers only, so that mcount does not see them.
    """
    result = collections.Counter()
    for (caller, callee), count in arcs.items():
        if callee in counting:
            result[caller if caller in counting else SPONTANEOUS, callee] += count
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arcline", required=True)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--argument", action="append", default=[])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    n_wrong = n_compared = 0
    for blocks in "blocks=on", "blocks=off":
        theirs = read_arcs(options, "by-mcount", f"calls=mcount:{blocks}")
        counting = {callee for _, callee in theirs}
        theirs = restrict(theirs, counting)
        ours = restrict(
            read_arcs(options, "by-sites", f"calls=on:{blocks}"), counting
        )
        n_compared += len(theirs)
        for arc in sorted(set(ours) | set(theirs)):
            if ours[arc] != theirs[arc]:
                print(
                    f"{blocks}: {arc[0]} -> {arc[1]}: {ours[arc]}, "
                    f"but mcount: {theirs[arc]}"
                )
                n_wrong += 1
    print(f"{n_compared} arcs compared, {n_wrong} differences")
    sys.exit(1 if n_wrong or not n_compared else 0)


main()
