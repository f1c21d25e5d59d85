#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check counts of lines and branches with the gcov tests of GCC's own test suite.

    compare_with_gcov_suite.py --bin FOLDER --work FOLDER [--tarball FILE]
                               [--levels=-O0,-O2] [--only NAME] [--verbose]

The tests come from a source package of GCC that is installed (Debian's
gcc-12-source), never from here. Each is built by the arcline-cc or arcline-c++ of
the folder at each level, and run; `arcline export --format=lcov` must have the counts
that comments of the test expect:

    count(N)            of the line: a number, #####, ===== or - for no code
    branch(P Q)         shares in per cent that branches after it have, until the
                        next such comment or branch(end); P and 100 - P are alike

Tests that have a Python script are checked by it: it reads --format=gcov-json. Not checked:
returns(...), shares of calls that returned, which Arcline does not export; tests that fail with GCC
itself (xfail); and output of gcov without a .gcda file.

DIFFERENCES have their reasons in docs/GCOV.md. Exit code 1 if anything else
differs; one of DIFFERENCES that is gone is named. 77 without the package.
"""
import argparse
import collections
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile

import tracefile

TARBALLS = "/usr/src/gcc-*/gcc-*.tar.*"
FOLDERS = ("gcc/testsuite/gcc.misc-tests/gcov", "gcc/testsuite/g++.dg/gcov/")

# Headings in docs/GCOV.md.
DEAD, DUMP, LABEL, TYPE = "dead code", "dumps", "labels", "types"
WEAK, LAMBDA, INSTANCE = "extern inline", "lambdas", "instances"
CATCH = "catch"
DIFFERENCES = {
    # (file, line, what is expected): reason
    ("gcov-14.c", 0, "exit(0)"): WEAK,
    ("gcov-14.c", 15, "count(-)"): WEAK,
    ("gcov-dump-1.C", 17, "count(#####)"): DUMP,
    ("gcov-dump-1.C", 20, "count(#####)"): DUMP,
    ("gcov-15.C", 20, "count(1)"): CATCH,
    ("gcov-pr85217.c", 12, "count(1)"): DEAD,
    ("gcov-pr85332.c", 10, "count(3)"): LABEL,
    ("gcov-pr85350.c", 7, "count(1)"): TYPE,
    ("test-gcov-17.py", 0, "test_basics"): INSTANCE,
    ("test-gcov-17.py", 0, "test_lines"): INSTANCE,
    ("test-pr98273.py", 0, "test_lines"): LAMBDA,
}

# Options that only gcc has, or that only gcov needs.
DROPPED = re.compile(r"-fprofile-.*|-ftest-coverage|--coverage|-lgcov|"
                     r"-fno-implicit-constexpr")
NAMES = ("-D__gcov_dump=arcline_dump", "-D__gcov_reset=arcline_reset")
# A function that is not a builtin of clang.
EXIT = ("-D__builtin_exit=exit", "-include", "stdlib.h")

# Runs a script of the suite, without pytest; prints `PASS NAME` or `FAIL NAME`.
SCRIPT_RUNNER = """
import runpy, sys, types
sys.modules["pytest"] = types.SimpleNamespace(
    fixture=lambda **_: lambda function: function)
sys.path.insert(0, sys.argv[1])
names = runpy.run_path(sys.argv[2])
for name in [name for name in names if name.startswith("test_")]:
    try:
        names[name](names["gcov"]())
        print("PASS", name)
    except Exception:
        print("FAIL", name)
"""

Check = collections.namedtuple("Check", "file line expected")
Result = collections.namedtuple("Result", "check found is_right")


class Failure(Exception):
    """A test cannot be built."""


def unpack(tarball, folder):
    """Unpack the tests, once."""
    done = os.path.join(folder, os.path.basename(tarball) + ".unpacked")
    if os.path.exists(done):
        return
    with tarfile.open(tarball) as archive:
        for member in archive:
            path = member.name.partition("/")[2]
            if member.isfile() and path.startswith(FOLDERS):
                target = os.path.join(folder, os.path.basename(path))
                with archive.extractfile(member) as source, \
                        open(target, "wb") as file:
                    shutil.copyfileobj(source, file)
    with open(done, "w", encoding="ascii"):
        pass


def human(count, like):
    """A count as gcov -H prints it, if the expectation has that form."""
    unit = like[-1]
    if unit not in "kMGTPEZY":
        return str(count)
    n_digits = len(like.rstrip(unit).partition(".")[2])
    return f"{count / 1000 ** ('kMGTPEZY'.index(unit) + 1):.{n_digits}f}{unit}"


def check_lines(file, rows, source):
    for line, row in enumerate(rows, 1):
        expectation = re.search(r"count\(([0-9\-#=.kMGTPEZY*]+)\)(.*)", row)
        if not expectation or "{ xfail *-*-* }" in expectation[2]:
            continue
        expected = expectation[1].rstrip("*")
        count = source.lines.get(line)
        if count is None:
            found = "-"
        else:
            found = human(count, expected) if count else "#####"
        yield Result(Check(file, line, expectation[0][:-len(expectation[2])]
                           if expectation[2] else expectation[0]), found,
                     found == expected.replace("=====", "#####"))


def share(count, total):
    """In per cent, as gcov rounds: 0 is never, and 100 always."""
    if total == 0:
        return 0
    percent = (100 * count + total // 2) // total
    if percent == 0 and count > 0:
        return 1
    return 99 if percent == 100 and count < total else percent


def check_branches(file, rows, source):
    """Each expected share is assigned to a way of some branch there."""
    first, expected = 0, None
    for line, row in enumerate([*rows, "branch(end)"], 1):
        expectation = re.search(r"branch\(([0-9 ]+|end)\)", row)
        if not expectation:
            continue
        if expected:
            found = [share(count, sum(ways)) for at in range(first, line)
                     for ways in source.branches.get(at, {}).values()
                     for count in ways]
            missing = collections.Counter(
                min(int(percent), 100 - int(percent))
                for percent in expected.split())
            missing.subtract(min(percent, 100 - percent) for percent in found)
            yield Result(Check(file, first, f"branch({expected})"),
                         " ".join(map(str, found)) or "-",
                         max(missing.values()) <= 0)
        first = line
        expected = None if expectation[1] == "end" else expectation[1]


def run(command, folder, **environment):
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL,
                          env=os.environ | environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          timeout=120, check=False)


def call(command, folder):
    done = run(command, folder)
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)}: exit code {done.returncode}\n"
                      f"{done.stdout[-1000:]}")
    return done.stdout


class Test:
    """A program of the suite, with expectations in one or two files."""

    def __init__(self, path):
        self.folder, self.name = os.path.split(path)
        self.text = self.read(self.name)
        self.is_cxx = path.endswith(".C")

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8",
                  errors="replace") as file:
            return file.read()

    def directive(self, name):
        """The text in a `{ dg-NAME "..." }`."""
        found = re.search(r"\{ dg-" + name + r' "?(.*?)"? [{}]', self.text)
        return found[1] if found else ""

    def is_run(self):
        return self.directive("do").startswith("run")

    def build(self, bin_folder, level, folder):
        options = [option for option in shlex.split(self.directive("options"))
                   if not DROPPED.fullmatch(option)]
        if not any(option.startswith("-O") for option in options):
            options.append(level)
        if self.is_cxx:
            options += ["-x", "c++"]
        if "__builtin_exit" in self.text:
            options += EXIT
        names = [self.name, *self.directive("additional-sources").split()]
        call([os.path.join(bin_folder,
                           "arcline-c++" if self.is_cxx else "arcline-cc"),
              "--arcline-suite=profiles", "-g", "-w", *NAMES, *options,
              *(os.path.join(self.folder, name) for name in names),
              "-o", "program"], folder)

    def check(self, bin_folder, level, folder):
        """Build, run, and yield the results."""
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.build(bin_folder, level, folder)
        code = run(["./program"], folder).returncode
        if code != 0:
            yield Result(Check(self.name, 0, "exit(0)"), str(code), False)
        arcline = os.path.join(bin_folder, "arcline")
        sources = {os.path.basename(path): source for path, source in
                   tracefile.read(call([arcline, "export", "--format=lcov",
                                        "profiles"], folder)).items()}
        for how in re.findall(r"\{ dg-final \{ run-gcov (.*)", self.text):
            if "{ xfail *-*-* }" in how or "remove-gcda" in how:
                continue
            file = re.search(r"[\w-]+\.[cC]\b", how)[0]
            rows = self.read(file).splitlines()
            source = sources.get(file, tracefile.Source())
            yield from check_lines(file, rows, source)
            if "branches" in how:
                yield from check_branches(file, rows, source)
        for script in re.findall(r'run-gcov-pytest [\w.-]+ "(.*?)"', self.text):
            yield from self.check_by_script(arcline, script, folder)

    def check_by_script(self, arcline, script, folder):
        exported = os.path.splitext(self.name)[0] + ".gcov.json.gz"
        call([arcline, "export", "--format=gcov-json", "-o", exported,
              "profiles"], folder)
        printed = run([sys.executable, "-c", SCRIPT_RUNNER, self.folder,
                       os.path.join(self.folder, script)], folder,
                      GCOV_PATH=self.name).stdout
        for verdict, name in re.findall(r"^(PASS|FAIL) (\w+)", printed, re.M):
            yield Result(Check(script, 0, name), verdict, verdict == "PASS")


def check_level(level, tests, arguments):
    """Print differences. Returns (right, all, [failed or not explained], [gone])."""
    n_right = n_all = 0
    failed, gone = [], []
    for test in tests:
        folder = os.path.join(os.path.abspath(arguments.work), test.name + level)
        try:
            results = list(test.check(os.path.abspath(arguments.bin), level,
                                      folder))
        except (Failure, subprocess.TimeoutExpired) as failure:
            print(f"{test.name} {level}: {failure}")
            failed.append(test.name)
            continue
        n_right += sum(result.is_right for result in results)
        n_all += len(results)
        if arguments.verbose:
            print(f"{test.name} {level}: {len(results)} checks")
        wrong = {result.check: result for result in results
                 if not result.is_right}
        for check, result in wrong.items():
            reason = DIFFERENCES.get(tuple(check))
            print(f"{check.file}:{check.line} {level}: expected {check.expected}, "
                  f"found {result.found}; {reason or 'NOT EXPLAINED'}")
            if not reason:
                failed.append(check)
        gone += [check for check in map(tuple, (r.check for r in results))
                 if check in DIFFERENCES and check not in wrong]
    return n_right, n_all, failed, gone


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--tarball")
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--only", default="", metavar="NAME")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    tarball = arguments.tarball or next(iter(sorted(glob.glob(TARBALLS))), None)
    if not tarball:
        print("no source package of GCC is installed (Debian: gcc-12-source)")
        return 77
    suite = os.path.join(os.path.abspath(arguments.work), "suite")
    os.makedirs(suite, exist_ok=True)
    unpack(tarball, suite)
    tests = [Test(path) for path in
             sorted(glob.glob(os.path.join(suite, "*.[cC]")))]
    tests = [test for test in tests
             if test.is_run() and arguments.only in test.name]
    is_good, table = True, []
    for level in arguments.levels.split(","):
        n_right, n_all, failed, gone = check_level(level, tests, arguments)
        for file, line, expected in gone:
            print(f"{file}:{line} {level}: is {expected}, no difference any more")
        table.append(f"{level}: {n_right} of {n_all} right, {len(failed)} of "
                     f"{n_all - n_right} differences not explained")
        is_good = is_good and n_all > 0 and not failed
    print("\n".join(table))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
