#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check the call graph of a report of `arcline gprof -b`.

    check_graph.py SOURCE REPORT [LABEL]

Comments of SOURCE list the required arcs, each on a line of its own:

    // LABEL: caller -> callee 12

LABEL is ARC if not given; a caller * is "<spontaneous>". Such lines must list all
arcs of each callee that they name. In any call graph, the calls of a function
in the entries of its callers must add up to its own count, and arcs must be the
same from either end.
"""
import collections
import re
import sys

ARC = re.compile(
    r"^ +[\d.]+ +[\d.]+ +(\d+)/(\d+) +(?:(<spontaneous>)|(.*?) [\[(](\d+)[\])])$"
)
ENTRY = re.compile(
    r"^\[(\d+)\] +[\d.]+ +[\d.]+ +[\d.]+ +(?:(\d+)(?:\+\d+)? +)?(\S.*?) \[\1\]$"
)


def fail(message):
    sys.exit("check_graph.py: " + message)


def read_report(path):
    """Returns names and calls by index, and both views of the arcs."""
    names, calls = {}, {}
    above, below = collections.Counter(), collections.Counter()
    text = open(path).read()
    start = text.index("index % time    self  children    called     name\n")
    for block in text[start:].split("-" * 47 + "\n")[:-1]:
        lines = block.splitlines()
        own = [i for i, line in enumerate(lines) if ENTRY.match(line)]
        if len(own) != 1:
            fail("no entry in\n" + block)
        index, n, name = ENTRY.match(lines[own[0]]).groups()
        names[index], calls[index] = name, int(n or 0)
        for i, line in enumerate(lines):
            arc = ARC.match(line)
            if not arc:
                continue
            count, total, spontaneous, _, other = arc.groups()
            if i < own[0]:
                above["*" if spontaneous else other, index] += int(count)
                if int(total) != calls[index]:
                    fail(f"{name}: called {calls[index]} times, or {total}")
            else:
                below[index, other] += int(count)
    return names, calls, above, below


def read_expected(path, label):
    expected = collections.Counter()
    for line in open(path):
        match = re.match(rf"// {label}: (.+) -> (.+) (\d+)$", line)
        if match:
            caller, callee, count = match.groups()
            expected[caller, callee] += int(count)
    if not expected:
        fail(f"{path} expects nothing with {label}")
    return expected


def main():
    source, report, label = (sys.argv + ["ARC"])[1:4]
    names, calls, above, below = read_report(report)
    known = {arc: n for arc, n in above.items() if arc[0] != "*"}
    if known != dict(below):
        fail("arcs differ seen from callers and from callees")
    for index, name in names.items():
        n = sum(count for (_, callee), count in above.items() if callee == index)
        if n != calls[index]:
            fail(f"{name}: called {calls[index]} times, by its callers {n} times")
    names["*"] = "*"
    expected = read_expected(source, label)
    callees = {callee for _, callee in expected}
    found = collections.Counter()
    for (caller, callee), count in above.items():
        if names[callee] in callees:
            found[names[caller], names[callee]] += count
    for arc in sorted(set(expected) | set(found)):
        if expected[arc] != found[arc]:
            fail(f"{arc[0]} -> {arc[1]}: {found[arc]}, not {expected[arc]}")


main()
