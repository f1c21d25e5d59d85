#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare counts of lines with those of gcc's gcov and clang's source coverage.

    compare_three.py --bin FOLDER --work FOLDER --source FOLDER --build COMMAND
                     --run COMMAND [--levels=-O0,-O2] [--clang clang-19] [--list]

The source folder is copied once for each compiler, and both commands run there by
sh, with CC, CXX, CFLAGS, CXXFLAGS and LDFLAGS in the environment: gcc at -O0, clang at
-O0, and Arcline at each level. The commands must do the same each time. For example

    compare_three.py --bin build/bin --work /tmp/three --source bzip2-1.0.8 \\
        --build '$CC $CFLAGS -o bzip2 *.c $LDFLAGS' --run './bzip2 -k sample'

If gcov and clang agree on a line's count, Arcline should have that. Prints for each level how many
of these lines it lists, with which count, and how many have the wrong state, run or not run; --list
names each that differs. Exit code 1 if there are lines of another state.
"""
import argparse
import collections
import glob
import json
import os
import shlex
import shutil
import subprocess
import sys

import tracefile


def run(command, folder, **environment):
    """Its output; exits if it fails."""
    done = subprocess.run(command, cwd=folder, env=os.environ | environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace",
                          check=False)
    if done.returncode != 0:
        sys.exit(f"compare_three: {shlex.join(command)}, in {folder}: exit code "
                 f"{done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def build_and_run(arguments, name, compilers, flags, **environment):
    """Returns the folder, a copy of the source."""
    folder = os.path.join(os.path.abspath(arguments.work), name)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(arguments.source, folder, symlinks=True)
    environment |= {"CC": compilers[0], "CXX": compilers[1], "LDFLAGS": flags,
                    "CFLAGS": flags, "CXXFLAGS": flags, "LC_ALL": "C"}
    for command in (arguments.build, arguments.run):
        run(["sh", "-c", command], folder, **environment)
    return folder


def within(folder, counts):
    """{path in the folder: lines} of {path: lines}; a file may have several paths."""
    root = os.path.realpath(folder)
    found = collections.defaultdict(collections.Counter)
    for path, lines in counts.items():
        path = os.path.realpath(os.path.join(root, path))
        if path.startswith(root + "/"):
            for line, count in lines.items():
                found[os.path.relpath(path, root)][line] += count
    return found


def gcov_lines(arguments):
    folder = build_and_run(arguments, "gcov", ("gcc", "g++"), "-O0 --coverage")
    counts = collections.defaultdict(dict)
    for path in glob.glob(os.path.join(folder, "**", "*.gcda"), recursive=True):
        printed = run(["gcov", "--json-format", "--stdout", path],
                      os.path.dirname(path))
        for row in printed.splitlines():
            data = json.loads(row)
            for file in data["files"]:
                name = os.path.join(data["current_working_directory"],
                                    file["file"])
                lines = counts[name]
                for line in file["lines"]:
                    number = line["line_number"]
                    lines[number] = lines.get(number, 0) + line["count"]
    return within(folder, counts)


def is_covered(path):
    """Is it an executable or library with clang's coverage?"""
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        data = file.read()
    return (data.startswith(b"\x7fELF") and data[16] in (2, 3)
            and b"__llvm_covmap" in data)


def clang_lines(arguments):
    flags = "-O0 -fprofile-instr-generate -fcoverage-mapping"
    profiles = os.path.join(os.path.abspath(arguments.work), "profraw")
    shutil.rmtree(profiles, ignore_errors=True)
    cxx = arguments.clang.replace("clang", "clang++")
    folder = build_and_run(arguments, "clang", (arguments.clang, cxx), flags,
                           LLVM_PROFILE_FILE=f"{profiles}/%m-%p.profraw")
    cov, profdata = (run([arguments.clang, "-print-prog-name=" + name],
                         folder).strip()
                     for name in ("llvm-cov", "llvm-profdata"))
    sum_of = os.path.join(profiles, "sum.profdata")
    run([profdata, "merge", "-o", sum_of,
         *glob.glob(os.path.join(profiles, "*.profraw"))], folder)
    images = [path for path in
              glob.glob(os.path.join(folder, "**", "*"), recursive=True)
              if is_covered(path)]
    more = [word for image in images[1:] for word in ("-object", image)]
    printed = run([cov, "export", "-format=lcov", "-instr-profile=" + sum_of,
                   images[0], *more], folder)
    return within(folder, {path: source.lines for path, source in
                           tracefile.read(printed).items()})


def our_lines(arguments, level):
    bin_folder = os.path.abspath(arguments.bin)
    profiles = os.path.join(os.path.abspath(arguments.work), "pool" + level)
    shutil.rmtree(profiles, ignore_errors=True)
    compilers = [os.path.join(bin_folder, name)
                 for name in ("arcline-cc", "arcline-c++")]
    folder = build_and_run(arguments, "arcline" + level, compilers,
                           "-g " + level, ARCLINE_OPTIONS=f"out={profiles}/%m")
    printed = run([os.path.join(bin_folder, "arcline"), "export",
                   "--format=lcov", profiles], folder)
    return within(folder, {path: source.lines for path, source in
                           tracefile.read(printed).items()})


def agreed_lines(gcov, clang):
    """{(path, line): count} where both have the same."""
    return {(path, line): count for path, lines in gcov.items()
            for line, count in lines.items()
            if clang.get(path, {}).get(line) == count}


def compare(agreed, ours):
    """Returns the number of each kind, and the list of differences."""
    n, different = collections.Counter(), []
    for (path, line), count in sorted(agreed.items()):
        mine = ours.get(path, {}).get(line)
        kind = ("not listed" if mine is None else
                "same" if mine == count else
                "run though not" if count == 0 else
                "not run though so" if mine == 0 else "other count")
        n[kind] += 1
        if kind != "same":
            different.append(f"{path}:{line}: {kind}: {mine}, not {count}")
    return n, different


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in "bin", "work", "source", "build", "run":
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    source, work = map(os.path.realpath, (arguments.source, arguments.work))
    if os.path.commonpath((source, work)) == source:
        parser.error("--work is inside --source, which is copied there")
    agreed = agreed_lines(gcov_lines(arguments), clang_lines(arguments))
    print(f"{len(agreed)} lines on which gcov and clang agree")
    n_wrong = 0
    for level in arguments.levels.split(","):
        n, different = compare(agreed, our_lines(arguments, level))
        n_listed = len(agreed) - n["not listed"]
        print(f"{level}: {100 * n['same'] / max(n_listed, 1):.3f} % of "
              f"{n_listed} the same count, {n['other count']} another one; "
              f"{n['run though not']} run though not, "
              f"{n['not run though so']} not run though so; "
              f"{n['not listed']} not listed")
        n_wrong += n["run though not"] + n["not run though so"]
        print("".join(row + "\n" for row in different if arguments.list), end="")
    return 1 if n_wrong or not agreed else 0


if __name__ == "__main__":
    sys.exit(main())
