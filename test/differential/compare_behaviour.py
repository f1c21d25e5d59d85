#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare what instrumented programs print and return with the same programs by clang.

    compare_behaviour.py --bin FOLDER --work FOLDER [--levels=-O0,-O1,-O2,-O3] [--clang clang-19]
                         [--options OPTIONS] [--jobs 2] FILE...

Each file is a program. It is built by clang and by arcline-cc at each level (.C, .cc and .cpp by
clang++ and arcline-c++), both run, and output and status must be the same. Programs that clang
rejects, that fail, that print something else in each run, or that take longer than ten seconds are
left out and counted. Made for the execution tests of gcc (Debian: gcc-12-source,
gcc/testsuite/gcc.c-torture/execute, and g++.dg, of which options in dg-options are used) and for
programs by csmith:

    for i in $(seq 100); do csmith --seed $i -o $i.c; done
    compare_behaviour.py --bin build/bin --work /tmp/made --options=-I/usr/include/csmith *.c

Prints each difference, and totals. Exit code 1 if there are any.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile

COMPILER_SECONDS, PROGRAM_SECONDS = 300, 10
CXX_SUFFIXES = (".C", ".cc", ".cpp")
OWN_OPTIONS = re.compile(r'dg-(?:additional-)?options +"([^"]*)" *}')
OWN_STANDARD = re.compile(r"dg-do run \{ target (c\+\+\d\d)")
LANGUAGE_OPTIONS = ("-std=", "-D", "-m", "-fexceptions", "-fno-exceptions", "-fno-rtti", "-fpic",
                    "-fPIC", "-fsanitize=", "-fno-sanitize-recover=", "-fwrapv", "-ftrapv",
                    "-fno-strict-aliasing", "-fno-builtin", "-fsigned-char", "-funsigned-char",
                    "-fno-delete-null-pointer-checks", "-ffast-math", "-fgnu89-inline")


def run(command, folder, seconds):
    """(status, output, errors); the status is None after the limit."""
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, timeout=seconds,
                              capture_output=True, check=False)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return done.returncode, done.stdout, done.stderr


def cxx_name(compiler):
    """arcline-c++ for arcline-cc, clang++-19 for clang-19."""
    folder, name = os.path.split(compiler)
    name = "arcline-c++" if name == "arcline-cc" else name.replace("clang", "clang++", 1)
    return os.path.join(folder, name)


def own_options(source):
    """The options that a test of gcc's has for itself: of the language, since clang does not know
    those of gcc's optimiser."""
    with open(source, encoding="utf-8", errors="replace") as file:
        text = file.read()
    options = [option for found in OWN_OPTIONS.findall(text) for option in found.split()
               if option.startswith(LANGUAGE_OPTIONS)]
    standard = OWN_STANDARD.search(text)
    if standard and not any(option.startswith("-std=") for option in options):
        options.append(f"-std={standard[1]}")
    return options


def build(compiler, level, source, program, arguments, folder):
    """None, or why there is no program."""
    if source.endswith(CXX_SUFFIXES):
        compiler = cxx_name(compiler)
    status, _, errors = run([compiler, *own_options(source), level, "-w",
                             *shlex.split(arguments.options), source, "-lm", "-o", program],
                            folder, COMPILER_SECONDS)
    return None if status == 0 else errors.decode(errors="replace")[-400:] or f"status {status}"


def compare(source, level, arguments, folder):
    """"same", "left out", or what differs."""
    if build(arguments.clang, level, source, "plain", arguments, folder):
        return "left out"
    expected = run(["./plain"], folder, PROGRAM_SECONDS)[:2]
    # Some print addresses.
    if expected[0] != 0 or run(["./plain"], folder, PROGRAM_SECONDS)[:2] != expected:
        return "left out"
    error = build(os.path.join(arguments.bin, "arcline-cc"), level, source, "counted", arguments,
                  folder)
    if error:
        return "does not build: " + error
    # It writes a profile as well, and the machine may be busy.
    status, output, errors = run(["./counted"], folder, 10 * PROGRAM_SECONDS)
    if (status, output) == expected:
        return "same"
    return f"status {status}: " + errors.decode(errors="replace")[-400:]


def compare_levels(source, arguments):
    """[(level, result)] of a program."""
    with tempfile.TemporaryDirectory(dir=arguments.work) as folder:
        return [(level, compare(os.path.abspath(source), level, arguments, folder))
                for level in arguments.levels.split(",")]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=os.path.abspath)
    parser.add_argument("--work", required=True)
    parser.add_argument("--levels", default="-O0,-O1,-O2,-O3")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--options", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("files", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    totals = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        found = pool.map(lambda source: compare_levels(source, arguments), arguments.files)
        for source, results in zip(arguments.files, found):
            for level, result in results:
                is_different = result not in ("same", "left out")
                totals["different" if is_different else result] += 1
                if is_different:
                    print(f"{source} {level}: {result}", flush=True)
    print(f"{len(arguments.files)} programs, " +
          ", ".join(f"{totals[name]} {name}" for name in ("same", "different", "left out")) +
          " over all levels")
    return 1 if totals["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
