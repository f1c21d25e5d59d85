# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fetches and builds programs, each in each variant; skips builds that are up to date.

Downloads are in OUT, where bench/fetch puts them. A finished build is the file `program` in
OUT/builds/VARIANT/PROGRAM, with a `stamp` beside it: the commands, and the times of all inputs.
"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys

import programs as all_programs

MADE_DATA = os.path.join(all_programs.BENCH, "workloads", "made_data.h")


class BuildError(Exception):
    """One sentence for the user."""


def folder_of(out, program, variant):
    return os.path.join(out, "builds", variant.name, program.build_folder)


def pairs(programs, variants):
    """Every program with each variant that applies to it."""
    return [(program, variant) for program in programs for variant in variants
            if (program.threads or not variant.is_atomic)
            and (program.can_be_library or not variant.in_library)]


def clean_environment():
    """Without variables that change the work of a profiler."""
    prefixes = ("ARCLINE_", "GMON_OUT_PREFIX", "GCOV_", "LLVM_PROFILE_",
                "MAKEFLAGS")
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(prefixes)}
    environment["LC_ALL"] = "C"
    return environment


def profile_environment(variable, pattern, folder):
    """With the variable of a profiler that names the place of its files, if it has one."""
    environment = clean_environment()
    if variable:
        environment[variable] = pattern.format(folder)
    return environment


def compile_environment(variant):
    environment = clean_environment()
    if variant.pass_options:
        environment["ARCLINE_PASS_OPTIONS"] = variant.pass_options
    return environment


def fetch(programs, out):
    items = sorted({item for program in programs for item in program.downloads})
    if not items:
        return
    fetched = subprocess.run(
        [os.path.join(all_programs.BENCH, "fetch"), out, *items],
        stdout=sys.stderr, check=False)
    if fetched.returncode != 0:
        raise BuildError(f"downloading {', '.join(items)} failed")


def command_line(program, variant, compilers):
    compiler = compilers[variant.compiler]
    return [compiler.cxx if program.is_cxx else compiler.cc, *variant.options]


def stamp_of(program, variant, compilers, steps, out):
    inputs = [*program.source_files(out), MADE_DATA,
              *compilers[variant.compiler].files]
    ages = [(path, os.stat(path).st_mtime_ns) for path in inputs]
    return json.dumps([steps, variant.pass_options, ages])


def run_step(command, log, folder, environment):
    with open(log, "ab") as file:
        done = subprocess.run(command, cwd=folder, env=environment, stdout=file,
                              stderr=file, check=False)
    if done.returncode != 0:
        raise BuildError(f"{command[0]} failed in {folder}: see {log}")


def build_one(program, variant, compilers, out):
    folder = folder_of(out, program, variant)
    make_steps = (program.library_steps if variant.in_library
                  else program.build_steps)
    steps = make_steps(command_line(program, variant, compilers), out)
    stamp = stamp_of(program, variant, compilers, steps, out)
    stamp_file = os.path.join(folder, "stamp")
    if os.path.exists(stamp_file):
        with open(stamp_file, encoding="utf-8") as file:
            if file.read() == stamp:
                return
    print(f"building {program.build_folder}: {variant.name}", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    log = os.path.join(folder, "log")
    for step in steps:
        run_step(step, log, folder, compile_environment(variant))
    with open(stamp_file, "w", encoding="utf-8") as file:
        file.write(stamp)


def build_all(programs, variants, compilers, out, factor, jobs):
    """Fetch and build, `jobs` at a time. factor: see Program.arguments."""
    os.makedirs(out, exist_ok=True)
    fetch(programs, out)
    for program in programs:
        for step in program.prepare_steps(compilers["clang"].cc, out, factor):
            run_step(step, os.path.join(out, "log"), out, clean_environment())
    # Entries that share a build are built once.
    work = {folder_of(out, program, variant): (program, variant)
            for program, variant in pairs(programs, variants)}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        started = [pool.submit(build_one, program, variant, compilers, out)
                   for program, variant in work.values()]
        try:
            for build in concurrent.futures.as_completed(started):
                build.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
