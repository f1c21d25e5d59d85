# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The differences between reports that docs/GPROF.md lists: for each entry, whether
it can be the reason of a difference, and what may differ then."""

import bisect
import collections
import os
import re
import sys

from profiles import read_records
from programs import HERE

# A comparison with a difference; version is that of GNU gprof, gprof(options, names of profiles)
# runs it once more, arcline(options, names, mode...) runs arcline, with_bugs is the mode that
# reproduces mistakes.
Difference = collections.namedtuple(
    "Difference", "case theirs ours version gprof arcline with_bugs")

SUM = ("-s", "--sum")
# Options that make lines symbols, with which older releases of GNU gprof fail on some C++.
LINES = ("-l", "--line", *SUM)
ORDERS = ("-r", "--function-ordering", "-R../../map")
# Options by which symbols are made.
OF_SYMBOLS = ("-a", "--no-static", "-D", "--ignore-non-functions",
              "-S../../symbols", "-R../../map")
# GNU gprof keeps so many blocks of a symbol.
BLOCKS_KEPT = 10


def all_options(case):
    """The options of a case, with those of its response file."""
    if "@../../options" not in case.options:
        return case.options
    return [*case.options, *case.program.response]


def has_option(case, names):
    return any(name in all_options(case) for name in names)


def lines_of(result):
    return collections.Counter(result.stdout.split(b"\n"))


def records_of(case):
    """The records of each file of the profile."""
    return [read_records(os.path.join(case.program.folder, name),
                         case.program.layout) for name in case.profile.names]


def disassembles(difference):
    """If all calls go forward, and are in a histogram, -c has the same result. The last symbol is
    in none, and makes no calls."""
    case = difference.case
    ranges = [span for records in records_of(case) for span in records.ranges]
    is_same = case.program.is_forward and all(
        any(low <= address < high for low, high in ranges)
        for address in case.program.addresses[:-1])
    return not is_same and has_option(case, ("-c", "--static-call-graph"))


def has_many_blocks(difference):
    """Does a symbol have more blocks than GNU gprof keeps?"""
    case = difference.case
    blocks = set().union(*(records.blocks for records in records_of(case)))
    if len(blocks) <= BLOCKS_KEPT:
        return False
    symbols = difference.gprof(
        ["-l", "-C", "-z", *(option for option in all_options(case)
                             if option in OF_SYMBOLS)], ["header"]).stdout
    starts = sorted({int(address, 16) for address in re.findall(
        rb":0x([0-9a-f]+)\) \d+ executions$", symbols, re.MULTILINE)})
    numbers = collections.Counter(bisect.bisect_right(starts, block)
                                  for block in blocks)
    return max(numbers.values()) > BLOCKS_KEPT


def orders_many_functions(difference):
    """One function is missing in GNU gprof's list, others come twice."""
    case = difference.case
    callees = set().union(*(records.callees for records in records_of(case)))
    theirs, ours = map(lines_of, (difference.theirs, difference.ours))
    return len(callees) >= 80 and \
        has_option(case, ("-r", "--function-ordering")) and \
        len(set(ours) - set(theirs)) <= 1 and set(theirs) <= set(ours)


def selects_arcs(case):
    return any(option[:2] in ("-k", "-q", "-Q") and "/" in option
               for option in all_options(case))


def orders_selected_arcs(difference):
    """The ends of selected arcs come once."""
    case = difference.case
    theirs, ours = map(lines_of, (difference.theirs, difference.ours))
    return has_option(case, ORDERS) and selects_arcs(case) and \
        set(theirs) == set(ours) and not ours - theirs


def has_no_rate(difference):
    """Only the flat profile has columns that depend on the unit of time."""
    def others(result):
        return re.sub(rb"Each sample counts as [^\f]*", b"", result.stdout)
    return difference.case.profile.shape == "rate-0" and \
        others(difference.theirs) == others(difference.ours)


def begins_in_file_0(difference):
    """GNU gprof has another file for the first lines of a unit of gcc's; entries that are named,
    joined or left out by their file differ, too. Then the output with --gnu-bugs must be that of
    GNU gprof."""
    case, theirs = difference.case, difference.theirs
    is_gcc_dwarf_5 = re.search(r"-gcc\+?\+?-O.-g($|-[^d])", case.program.name)
    if not is_gcc_dwarf_5:
        return False
    with_bugs = difference.arcline(case.options, case.profile.names,
                                   difference.with_bugs)
    return (with_bugs.status, with_bugs.stdout) == (theirs.status, theirs.stdout) or \
        has_no_rate(difference._replace(ours=with_bugs))


def with_all_lines(difference, names):
    """The same files, from which GNU gprof 2.47 makes all lines: it leaves those outside of the
    histograms out, unless another record comes first. Here one without blocks does."""
    case = difference.case
    path = os.path.join(case.program.folder, names[0])
    with open(path, "rb") as file:
        data = file.read()
    # In version 0, records of blocks have another form.
    header = b"gmon" + case.program.layout.pack("I", 1)
    if difference.version < (2, 47) or not data.startswith(header):
        return names
    with open(path + ".all", "wb") as out:
        out.write(data[:20] + b"\2" + case.program.layout.pack("I", 0) + data[20:])
    return [names[0] + ".all", *names[1:]]


def leaves_out_lines(difference):
    """With all lines, GNU gprof's report is the same."""
    case, ours = difference.case, difference.ours
    names = with_all_lines(difference, case.profile.names)
    if names == case.profile.names or not has_option(case, LINES):
        return False
    theirs = difference.gprof(case.options, names)
    return (theirs.status, theirs.stdout) == (ours.status, ours.stdout)


def line_symbols(report):
    """Functions and lines by their address, of a report of -C."""
    return {int(address, 16): (place, function) for place, function, address in re.findall(
        rb"^(.*): \((.*):0x([0-9a-f]+)\) \d+ executions$", report.stdout, re.MULTILINE)}


def renames_first_bytes(difference):
    """GNU gprof 2.47 has another function for the first byte of some stretches of a line; all other
    lines are the same."""
    case = difference.case
    if difference.version < (2, 47) or not has_option(case, LINES):
        return False
    options = ["-l", "-C", "-z", *(option for option in all_options(case)
                                   if option in OF_SYMBOLS)]
    theirs, ours = (line_symbols(run(options, ["header"]))
                    for run in (difference.gprof, difference.arcline))
    moved = {at for at in ours if theirs.get(at) != ours[at]}
    return bool(moved) and all(
        at in theirs and theirs[at][0] == ours[at][0] and theirs.get(at + 1) == ours[at]
        for at in moved) and set(theirs) == set(ours) | {at + 1 for at in moved}


def reports_as_inputs(difference):
    """Does GNU gprof print the same for arcline's gmon.sum as for the files?"""
    case, ours = difference.case, difference.ours
    if ours.status:
        return "gmon.sum: " in ours.stderr
    options = [option for option in all_options(case)
               if option not in (*SUM, "-i", "--file-info") and
               not option.startswith("@")]
    name = f"sum-{next(case.program.sum_numbers)}.out"
    path = os.path.join(case.program.folder, name)
    with open(path, "wb") as out:
        out.write(ours.files["gmon.sum"])
    # Selected arcs may be of lines, if a report is printed besides.
    modes = [[], ["-l"]] if selects_arcs(case) else [[]]
    return any(is_same_report(
        difference.gprof([*mode, *options],
                         with_all_lines(difference, case.profile.names)),
        difference.gprof([*mode, *options], with_all_lines(difference, [name])), case, path)
               for mode in modes)


def is_same_report(of_inputs, of_sum, case, path):
    """Are GNU gprof's reports of inputs and of their sum the same?"""
    if "missing call-graph data" in of_sum.stderr and selects_arcs(case):
        return not read_records(path, case.program.layout).callees
    # A rate of 0 makes GNU gprof print uninitialised memory.
    return case.profile.shape == "rate-0" or \
        (of_inputs.status, of_inputs.stdout, of_inputs.files) == \
        (of_sum.status, of_sum.stdout, of_sum.files)


# Entries of docs/GPROF.md.
SUMS = "`-s`"
KNOWN = [
    ("`-c` disassembles", disassembles),
    ("More than ten basic blocks", has_many_blocks),
    ("`-r`, several hundred functions that are called", orders_many_functions),
    ("The first lines of a unit in DWARF 5 of gcc", begins_in_file_0),
]
# The same for differences that --gnu-bugs does not restore either.
NEVER_SAME = [
    ("A rate of 0 samples per second", has_no_rate),
    ("`-r` and `-R` with `-k FROM/TO`", orders_selected_arcs),
    ("Lines outside of the histogram", leaves_out_lines),
    ("The first byte of inlined code", renames_first_bytes),
]


def check_titles():
    with open(os.path.join(HERE, "../../docs/GPROF.md")) as file:
        text = file.read()
    for title in (SUMS, *(title for title, _ in KNOWN + NEVER_SAME)):
        if f"**{title}**" not in text:
            sys.exit(f"docs/GPROF.md has no entry '{title}'")
