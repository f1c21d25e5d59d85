#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the counts of lines with those that made-up programs keep themselves.

    compare_own_counts.py --bin FOLDER --clang FILE --work FOLDER
                          [--seeds FIRST-LAST] [--builds N]

Programs of made_programs.py, which count their own lines, and of
made_control_flow.py, which have a twin that does, a C and a C++ one of each for each
seed, are built by the arcline-cc of the folder in N ways that depend on the seed, and
run. Each line that is counted, and each call of a function of C, must have that very
count in `arcline export --format=lcov`, and all builds must print the same. A program
that fails stays in the work folder. Exit code 1 if anything differs.
"""
import argparse
import os
import shutil
import subprocess
import sys

import made_control_flow
import made_programs

# -shared: as a library. Others are executables.
BUILDS = (("-O0",), ("-O2",), ("-O1",), ("-O3",), ("-O2", "-fPIC", "-shared"),
          ("-Os",), ("-O2", "-static"), ("-Og",), ("-O3", "-march=native"),
          ("-O2", "-fno-omit-frame-pointer"))
N_ROUNDS = "200"
# Sums of their numbers may overflow.
DEFINED = "-fwrapv"
HOST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "own_counts.c")


class Failure(Exception):
    """A command failed, or a count is wrong."""


def call(*command, folder=None, environment=None):
    done = subprocess.run(command, cwd=folder, env=environment, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)}: exit code {done.returncode}\n"
                      f"{done.stderr[-2000:]}")
    return done.stdout


def host_of(arguments):
    return os.path.join(arguments.work, "host.o")


def twin_counts(program, source, arguments, folder):
    """The output of the program's twin, which counts in its source."""
    twin = os.path.join(folder, "twin" + os.path.splitext(source)[1])
    with open(twin, "w", encoding="ascii") as file:
        file.write(program.twin)
    call(arguments.clang, "-O1", "-w", DEFINED, "-c", twin, "-o", twin + ".o")
    call(arguments.clang, host_of(arguments), twin + ".o", "-o", twin + ".out",
         *["-lstdc++"] * program.is_cxx)
    return call(twin + ".out", N_ROUNDS)


def build(program, source, options, arguments, folder):
    """Returns the executable."""
    compiler = os.path.join(arguments.bin,
                            "arcline-c++" if program.is_cxx else "arcline-cc")
    host = host_of(arguments)
    executable = os.path.join(folder, "program")
    if "-shared" in options:
        library = os.path.join(folder, "libprogram.so")
        call(compiler, "-g", "-w", DEFINED, *options, source, "-o", library)
        call(compiler, host, library, "-Wl,-rpath,$ORIGIN", "-o", executable)
    else:
        call(compiler, "-g", "-w", DEFINED, *options, source, host, "-o", executable)
    return executable


def counts_of_lcov(text, source):
    """Counts of a file in lcov's format: {line: count}, {function: calls}."""
    lines, calls, is_of_source = {}, {}, False
    for row in text.splitlines():
        kind, _, rest = row.partition(":")
        if kind == "SF":
            is_of_source = os.path.basename(rest) == os.path.basename(source)
        elif kind == "DA" and is_of_source:
            line, count = rest.split(",")[:2]
            lines[int(line)] = int(count)
        elif kind == "FNDA" and is_of_source:
            count, name = rest.split(",", 1)
            calls[name] = int(count)
    return lines, calls


def check(program, source, options, arguments, folder, counts):
    """counts: the output of the twin or of the build before; None if there is none. Returns the
    same, or the output of the program."""
    executable = build(program, source, options, arguments, folder)
    profiles = os.path.join(folder, "profiles")
    printed = call(executable, N_ROUNDS, folder=folder, environment={
        **os.environ, "ARCLINE_OPTIONS": f"out={profiles}/gmon.out"})
    counts = counts or printed
    # A program that has a twin does not count itself.
    compared = slice(2 if program.twin else None)
    if printed.split()[compared] != counts.split()[compared]:
        raise Failure("computes something else than its twin or the build before")
    truth = [int(number) for number in counts.split()[2:]]
    lines, calls = counts_of_lcov(
        call(os.path.join(arguments.bin, "arcline"), "export", "--format=lcov",
             profiles), source)
    wrong = [f"line {line} ran {truth[k]} times, has {lines.get(line, 'no count')}"
             for k, line in enumerate(program.lines)
             if lines.get(line, 0) != truth[k]]
    if wrong:
        raise Failure(f"{len(wrong)} of {len(program.lines)} lines: " + "; ".join(wrong[:5]))
    for name, k in program.entries.items():
        if not program.is_cxx and calls.get(name, 0) != truth[k]:
            raise Failure(f"{name}() was called {truth[k]} times, "
                          f"has {calls.get(name, 'no count')}")
    return counts


def check_program(name, program, seed, arguments):
    """Returns the number of builds that fail."""
    work = os.path.join(arguments.work, name)
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    source = os.path.join(work, "made.cpp" if program.is_cxx else "made.c")
    with open(source, "w", encoding="ascii") as file:
        file.write(program.source)
    counts = None
    if program.twin:
        try:
            counts = twin_counts(program, source, arguments, work)
        except subprocess.TimeoutExpired as late:
            print(f"{name}: {late}")
            return 1
    n_failed = 0
    for i in range(arguments.builds):
        options = BUILDS[(seed + 4 * i) % len(BUILDS)]
        folder = os.path.join(work, "".join(options))
        os.mkdir(folder)
        try:
            counts = check(program, source, options, arguments, folder, counts)
        except (Failure, subprocess.TimeoutExpired) as failure:
            print(f"{name}, {' '.join(options)}: {failure}")
            n_failed += 1
    if n_failed == 0:
        shutil.rmtree(work)
    return n_failed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--seeds", default="1-3")
    parser.add_argument("--builds", type=int, default=3)
    arguments = parser.parse_args()
    first, last = (int(number) for number in arguments.seeds.split("-"))
    os.makedirs(arguments.work, exist_ok=True)
    call(arguments.clang, "-O2", "-c", HOST, "-o", host_of(arguments))
    n_failed = 0
    for seed in range(first, last + 1):
        for is_cxx in (False, True):
            language = "c++" if is_cxx else "c"
            n_failed += check_program(f"{seed}-{language}",
                                      made_programs.Program(seed, is_cxx), seed,
                                      arguments)
            n_failed += check_program(f"{seed}-flow-{language}",
                                      made_control_flow.ControlFlow(seed, is_cxx),
                                      seed, arguments)
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
