# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads tracefiles, the format of lcov, as arcline and llvm-cov export it."""
import collections
import dataclasses


@dataclasses.dataclass
class Source:
    """The counts of a file of the source."""
    lines: dict = dataclasses.field(default_factory=dict)  # {line: count}
    # {line: {number of a branch: counts of its ways}}
    branches: dict = dataclasses.field(
        default_factory=lambda: collections.defaultdict(dict))


def read(text):
    """{path: Source}; counts of a file that comes several times are added."""
    sources, source = {}, None
    for row in text.splitlines():
        kind, _, value = row.partition(":")
        if kind == "SF":
            source = sources.setdefault(value, Source())
        elif kind == "DA":
            line, count = map(int, value.split(",")[:2])
            source.lines[line] = source.lines.get(line, 0) + count
        elif kind == "BRDA":
            line, branch, _, count = value.split(",")
            ways = source.branches[int(line)].setdefault(branch, [])
            ways.append(0 if count == "-" else int(count))
    return sources
