#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare `arcline gprof -b` with GNU gprof, byte for byte.

    compare_with_gprof.py --arcline FILE --gprof FILE --cc FILE --cxx FILE
                          --clang FILE --clangxx FILE [--work DIR] [--seed N]
                          [--rounds N] [--share N] [--more]

Builds the programs of programs.py with -pg, runs them, and makes up profiles for them
(profiles.py). Each program runs with each set of options (option_sets.py), each time with another
profile; with --rounds more than once, with random sets in addition. Compared are standard output,
the files that are written, and whether the exit status is zero: of GNU gprof with `arcline gprof`,
and with `arcline gprof --gnu-bugs`. The same seed gives the same comparisons. --share N does one in
N of them, --more builds every combination of compiler options.

Without --gnu-bugs a report may differ for a reason in docs/GPROF.md: known.py lists reasons,
conditions and differences. If GNU gprof crashes or fails without a reason, arcline must do neither.
Prints each difference; exit code 1 if there was one.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import random
import re
import resource
import subprocess
import sys
import threading

from known import (KNOWN, LINES, NEVER_SAME, SUM, Difference, check_titles, has_option,
                   reports_as_inputs)
from option_sets import OPTION_SETS, Chooser
from profiles import OLD_SHAPES, SHAPES, Generator, Profile
from programs import BUILDS, HERE, all_builds, build, build_name

Case = collections.namedtuple("Case", "program profile options")
Result = collections.namedtuple("Result", "status stdout stderr files")

# GNU gprof trusts any size that a file claims to have.
MEMORY_LIMIT = ["prlimit", f"--as={1 << 30}"]


class Runner:
    """Runs commands in folders of each thread's own, beside the program."""

    def __init__(self):
        self.local = threading.local()
        self.n_threads = itertools.count()
        self.environment = {**os.environ, "LC_ALL": "C"}
        for variable in ("GPROF_PATH", "GMON_OUT_PREFIX"):
            self.environment.pop(variable, None)
        # Detecting leaks takes as long as the rest: in one run of four.
        options = [os.environ.get("ASAN_OPTIONS", "")]
        self.asan_options = itertools.cycle(
            ":".join([*options, f"detect_leaks={is_looked_for}"])
            for is_looked_for in (1, 0, 0, 0))

    def run(self, program, command, options, names):
        if not hasattr(self.local, "name"):
            self.local.name = f"thread-{next(self.n_threads)}"
        # Two below, which option_sets.py expects.
        folder = os.path.join(program.folder, self.local.name, "cwd")
        os.makedirs(folder, exist_ok=True)
        with open(folder + ".out", "w+b") as out:
            done = subprocess.run(
                [*command, "-b", *options, "../../program",
                 *("../../" + name for name in names)],
                cwd=folder, check=False, env={
                    **self.environment, "ASAN_OPTIONS": next(self.asan_options)},
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE)
            out.seek(0)
            text = out.read()
        files = {}
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                files[name] = file.read()
            os.remove(path)
        # The spare bytes of a header by GNU gprof have any value.
        if files.get("gmon.sum", b"").startswith(b"gmon"):
            data = files["gmon.sum"]
            files["gmon.sum"] = data[:8] + bytes(12) + data[20:]
        return Result(done.returncode, text, done.stderr.decode(), files)


def is_same(theirs, ours):
    if theirs.status:
        # The reason, and the part of the report before it, differ in wording.
        return ours.status in (1, 2)
    return (ours.status, ours.stdout, ours.files) == (
        0, theirs.stdout, theirs.files)


def without_sum(result):
    return result._replace(files={name: text for name, text in
                                  result.files.items() if name != "gmon.sum"})


def first_difference(theirs, ours):
    """The first difference of outputs, in a few words."""
    outputs = [("", theirs.stdout, ours.stdout)]
    outputs += [(name + " ", theirs.files.get(name, b""),
                 ours.files.get(name, b""))
                for name in sorted({*theirs.files, *ours.files})]
    for name, text, our_text in outputs:
        if text == our_text:
            continue
        same = os.path.commonprefix([text, our_text])
        start = max(same.rfind(b"\n") + 1, len(same) - 100)
        n_lines = same.count(b"\n")
        where = f"  {name}line {n_lines + 1}, byte {len(same)}"
        shown = [part[start:len(same) + 60].split(b"\n")[0]
                 for part in (text, our_text)]
        return f"{where}: gprof   {shown[0]}\n{where}: arcline {shown[1]}"
    return "  the same text"


def version_of(gprof):
    text = subprocess.run([gprof, "--version"], check=True, capture_output=True,
                          text=True).stdout
    return tuple(map(int, re.search(r"(\d+)\.(\d+)", text).groups()))


class Comparison:
    def __init__(self, args):
        self.args = args
        self.runner = Runner()
        self.figures = collections.Counter()
        self.lock = threading.Lock()
        self.version = version_of(args.gprof)
        self.with_bugs = "--gnu-bugs={}.{}".format(*self.version)
        # GNU gprof 2.47 finds other calls for -c, which --gnu-bugs does not restore.
        self.modes = [[], [self.with_bugs]] if self.version < (2, 44) else [[]]

    def compare(self, case):
        """Compare one case in both modes."""
        program, profile, options = case
        theirs = self.gprof(program, options, profile.names)
        for mode in self.modes:
            ours = self.runner.run(
                program, [self.args.arcline, "gprof", *mode], options,
                profile.names)
            what = self.judge(case, mode, theirs, ours)
            with self.lock:
                self.figures[what] += 1
                if what == "different":
                    self.tell(case, mode, theirs, ours)

    def gprof(self, program, options, names):
        return self.runner.run(program, [*MEMORY_LIMIT, self.args.gprof], options,
                               names)

    def judge(self, case, mode, theirs, ours):
        difference = Difference(
            case, theirs, ours, self.version,
            lambda options, names: self.gprof(case.program, options, names),
            lambda options, names, *mode: self.runner.run(
                case.program, [self.args.arcline, "gprof", *mode], options, names),
            self.with_bugs)
        has_sum = not mode and has_option(case, SUM)
        if theirs.status < 0 or "somebody miscounted" in theirs.stderr:
            if ours.status == 0:
                is_right = not has_sum or reports_as_inputs(difference)
                return "given_up" if is_right else "different"
            # It may be rejected for another reason.
            options = [option for option in case.options
                       if option not in LINES]
            theirs = self.gprof(case.program, options, case.profile.names)
        if is_same(theirs, ours):
            return "refused" if theirs.status else "equal"
        if has_sum and theirs.files.get("gmon.sum") != ours.files.get("gmon.sum"):
            if not reports_as_inputs(difference):
                return "different"
            theirs, ours = map(without_sum, (theirs, ours))
            if ours.status or is_same(theirs, ours):
                return "listed"
            difference = difference._replace(theirs=theirs, ours=ours)
        reasons = NEVER_SAME if mode else KNOWN + NEVER_SAME
        if any(is_reason(difference) for _, is_reason in reasons):
            return "listed"
        return "different"

    def tell(self, case, mode, theirs, ours):
        command = " ".join([*mode, "-b", *case.options, "program",
                            *case.profile.names])
        print(f"DIFFERENT ({case.profile.shape}): in {case.program.folder}: "
              f"gprof {command}")
        print(f"  gprof:   exit status {theirs.status} {theirs.stderr.strip()}")
        print(f"  arcline: exit status {ours.status} {ours.stderr.strip()}")
        print(first_difference(theirs, ours), flush=True)


def make_profiles(generator, program):
    """A profile of each shape, some of several files, in random order."""
    profiles = [] if program.is_foreign else [Profile("own", "ha", ["gmon.out"])]
    for shape in (*SHAPES, *OLD_SHAPES):
        profiles.append(generator.profile(
            shape, generator.random.choice([1, 1, 1, 2, 3])))
    generator.random.shuffle(profiles)
    return profiles


def make_cases(args, program, seed):
    """All cases of a program."""
    generator = Generator(seed, program)
    chooser = Chooser(seed, program)
    program.write_response(chooser.make_up())
    for i_round in range(args.rounds):
        profiles = itertools.cycle(make_profiles(generator, program))
        sets = [chooser.fill_in(text) for text in OPTION_SETS]
        if i_round:
            sets += [chooser.make_up() for _ in OPTION_SETS]
        for options in sets:
            yield Case(program, next(profiles), options)


def parse_arguments():
    parser = argparse.ArgumentParser()
    for tool in ("arcline", "gprof", "cc", "cxx", "clang", "clangxx"):
        parser.add_argument("--" + tool, required=True)
    parser.add_argument("--work", default="differential")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--more", action="store_true")
    parser.add_argument("--only", default="", help="part of a program's name")
    return parser.parse_args()


def main():
    args = parse_arguments()
    check_titles()
    # Some reports of GNU gprof would not end.
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 25, 1 << 25))
    resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
    tools = {"gcc": args.cc, "gcc++": args.cxx, "clang": args.clang,
             "clang++": args.clangxx}
    comparison = Comparison(args)
    selection = random.Random(args.seed)
    shapes = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = list(pool.map(
            lambda built: build(tools, args.work, *built),
            [built for built in (all_builds() if args.more else BUILDS)
             if args.only in build_name(*built)]))
        for i, program in enumerate(programs):
            cases = list(make_cases(args, program, args.seed * 1000 + i))
            cases = selection.sample(cases, len(cases) // args.share)
            shapes |= {case.profile.shape for case in cases}
            for _ in pool.map(comparison.compare, cases):
                pass
    figures = comparison.figures
    print(f"{len(programs)} programs, {len(shapes)} shapes of profiles, "
          f"{len(OPTION_SETS)} sets of options: {figures['equal']} reports equal, "
          f"{figures['different']} different, {figures['listed']} different as "
          f"docs/GPROF.md says, {figures['refused']} refused by both, "
          f"{figures['given_up']} on which only GNU gprof gives up")
    return 1 if figures["different"] or not figures["equal"] else 0


if __name__ == "__main__":
    sys.exit(main())
