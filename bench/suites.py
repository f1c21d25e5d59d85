# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a project, runs its test suite, and compares counts of lines with gcov's."""
import collections
import dataclasses
import glob
import os
import re
import resource
import shutil
import subprocess
import sys

import builder
import measure

ROOT = os.path.dirname(builder.all_programs.BENCH)
sys.path.insert(0, os.path.join(ROOT, "test", "lit", "e2e", "Inputs"))
from compare_gcov import gcov_counts_in  # noqa: E402

@dataclasses.dataclass(frozen=True)
class Build:
    name: str
    compiler: str  # a key of variants.find_compilers()
    options: tuple
    folder: str
    profiles: str  # of processes of this build, or ""

    def command(self, program):
        return " ".join([program, *self.options])


def builds_in(folder, wanted):
    """Builds by name: `wanted` is {name: (compiler, option...)}."""
    builds = []
    for name, (compiler, *options) in wanted.items():
        is_ours = compiler == "arcline"
        profiles = os.path.join(folder, name + "-profiles") if is_ours else ""
        suite = (f"--arcline-suite={profiles}",) if is_ours else ()
        builds.append(Build(name, compiler, (*suite, *options),
                            os.path.join(folder, name), profiles))
    return builds


def run(command, folder, log=None, extra=None, is_checked=True, is_merged=True):
    """The output of a command, with errors if is_merged; raises RunError if it fails."""
    done = subprocess.run(command, cwd=folder,
                          env=builder.clean_environment() | (extra or {}),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT if is_merged else subprocess.PIPE, text=True,
                          errors="replace", check=False)
    if log:
        with open(log, "w", encoding="utf-8") as file:
            file.write(done.stdout)
    if done.returncode and is_checked:
        raise measure.RunError(f"{' '.join(command)}, in {folder}:\n"
                               f"{(done.stdout + (done.stderr or ''))[-2000:]}")
    return done.stdout


def is_built(build, compiler):
    done = build.folder + ".built"
    if not os.path.exists(done):
        return False
    with open(done, encoding="utf-8") as file:
        return file.read() == build.command(build.compiler) and os.path.getmtime(done) > max(
            os.path.getmtime(file) for file in compiler.files)


def begin_build(build, sources):
    """A copy of the sources."""
    for path in (build.folder, build.profiles):
        if path:
            shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(sources, build.folder, symlinks=True)


def end_build(build):
    with open(build.folder + ".built", "w", encoding="utf-8") as file:
        file.write(build.command(build.compiler))


def forget_run(build):
    if build.profiles:
        shutil.rmtree(build.profiles, ignore_errors=True)
    for path in glob.glob(os.path.join(build.folder, "**", "*.gcda"),
                          recursive=True, include_hidden=True):
        os.remove(path)


def timed_run(build, command, pattern, **options):
    """Returns ({test: result}, seconds of CPU time).

    pattern finds a test's `name` and `result` in what the command prints.
    """
    forget_run(build)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    printed = run(command, build.folder, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ({match["name"]: match["result"]
             for match in pattern.finditer(printed)},
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def our_lines(arcline, build):
    """{source: {line: count}} of files in the project; gcov ignores markers of excluded lines."""
    counts, lines = {}, {}
    for row in run([arcline, "export", "--no-markers", build.profiles],
                   build.folder, is_merged=False).splitlines():
        kind, _, value = row.partition(":")
        if kind == "SF":
            lines = counts.setdefault(os.path.realpath(value), {})
        elif kind == "DA":
            line, count = value.split(",")
            lines[int(line)] = int(count)
    return {path: lines for path, lines in counts.items()
            if is_within(path, build.folder)}


def is_within(path, folder):
    return path.startswith(os.path.realpath(folder) + "/")


def listings_of(llvm_cov, path, top):
    """The output of gcov for a file of counts, as {source: rows}.

    Names of sources are relative to where the compiler ran, and gcov has to run
    there, too: in the folder of the object, or in one above it.
    """
    folder = os.path.dirname(path)
    while True:
        printed = run([llvm_cov, "gcov", "-t", path], folder)
        listings = [listing.splitlines()
                    for listing in printed.split(":Source:")[1:]]
        found = {os.path.realpath(os.path.join(folder, listing[0])): listing[1:]
                 for listing in listings}
        if all(map(os.path.exists, found)) or folder == top:
            return found
        folder = os.path.dirname(folder)


def gcov_counts(llvm_cov, build):
    """As our_lines(), by gcov, added up over objects."""
    counts = collections.defaultdict(collections.Counter)
    top = os.path.realpath(build.folder)
    for path in sorted(glob.glob(os.path.join(top, "**", "*.gcda"),
                                 recursive=True, include_hidden=True)):
        for source, rows in listings_of(llvm_cov, path, top).items():
            for line, count in gcov_counts_in(rows).items():
                counts[source][line] += count
    return {path: lines for path, lines in counts.items()
            if is_within(path, build.folder)}


def braces_of(path):
    """Lines with nothing but the end of a block, or an else: Arcline does not list them."""
    pattern = re.compile(r"\s*\}[\s{}();,]*(?:else)?[\s{]*(?:/[*/].*)?")
    with open(path, encoding="utf-8", errors="replace") as file:
        return {number for number, line in enumerate(file, 1)
                if pattern.fullmatch(line.rstrip("\n"))}


def compare_lines(ours, theirs):
    """Counts of gcov's lines: all of them, how many were `executed`, have the
    `same` count or the same `state`, `none`, or a count of which gcov's is a
    `multiple`; and the list of differences. Closing braces are left out."""
    n, different = collections.Counter(), []
    for path, lines in sorted(theirs.items()):
        mine = ours.get(path, {})
        braces = braces_of(path) if os.path.exists(path) else set()
        for line, count in sorted(lines.items()):
            found = mine.get(line)
            if found is None and line in braces:
                continue
            n["all"] += 1
            n["executed"] += count > 0
            n["same"] += found == count
            n["state"] += found is not None and (found > 0) == (count > 0)
            n["none"] += found is None
            n["multiple"] += bool(found and count != found
                                  and count % found == 0)
            if found != count:
                different.append((path, line, found, count))
    return n, different
