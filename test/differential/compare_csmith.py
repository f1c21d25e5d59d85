#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare counts of lines in random programs by csmith with gcov's and clang's.

    compare_csmith.py --bin FOLDER --work FOLDER [--seeds FIRST-LAST]
                      [--levels=-O0,-O2] [--clang clang-19] [--include FOLDER]

As compare_three.py, once for each seed; names lines for which gcc's gcov and clang's source
coverage have the same count and Arcline another one, or another state. Programs that run for longer
than two seconds are left out. Exit code 1 if any line differs, 77 without csmith (Debian: csmith,
libcsmith-dev).
"""
import argparse
import os
import shutil
import subprocess
import sys
import types

import compare_three

OPTIONS = ("--max-funcs", "4", "--max-block-depth", "3", "--no-checksum",
           "--concise")


def is_quick(source, include, folder):
    """Does the program end soon, with status 0?"""
    program = os.path.join(folder, "plain")
    compare_three.run(["gcc", "-w", "-O1", "-I" + include, source, "-o", program],
                      folder)
    try:
        return subprocess.run([program], timeout=2, check=False,
                              stdout=subprocess.DEVNULL).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def check(seed, arguments):
    """Returns the number of lines that differ, and of compared lines."""
    work = os.path.join(os.path.abspath(arguments.work), str(seed))
    source = os.path.join(work, "source")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(source)
    program = os.path.join(source, "made.c")
    compare_three.run(["csmith", "--seed", str(seed), *OPTIONS, "-o", program],
                      source)
    if not is_quick(program, arguments.include, work):
        return 0, 0
    one = types.SimpleNamespace(
        bin=arguments.bin, work=work, source=source, clang=arguments.clang,
        build=f"$CC -w $CFLAGS -I{arguments.include} -c made.c && "
              "$CC $LDFLAGS made.o -o made", run="./made > printed")
    agreed = compare_three.agreed_lines(compare_three.gcov_lines(one),
                                        compare_three.clang_lines(one))
    n_different = 0
    for level in arguments.levels.split(","):
        _, different = compare_three.compare(
            agreed, compare_three.our_lines(one, level))
        different = [row for row in different if "not listed" not in row]
        for row in different:
            print(f"seed {seed} {level}: {row}")
        n_different += len(different)
    if n_different == 0:
        shutil.rmtree(work)
    return n_different, len(agreed)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--seeds", default="1-10")
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--include", default="/usr/include/csmith")
    arguments = parser.parse_args()
    if not shutil.which("csmith") or not os.path.isdir(arguments.include):
        print("csmith is not installed (Debian: csmith, libcsmith-dev)")
        return 77
    first, last = (int(number) for number in arguments.seeds.split("-"))
    n_different = n_lines = 0
    for seed in range(first, last + 1):
        different, lines = check(seed, arguments)
        n_different += different
        n_lines += lines
    print(f"{n_lines} lines on which gcov and clang agree, {n_different} "
          "differences over all levels")
    return 1 if n_different else 0


if __name__ == "__main__":
    sys.exit(main())
