# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs, and measures CPU time, memory, output and files.

Each run has its own empty folder, so that no run adds to the profile of another, and missing
profiles are detected.
"""
import dataclasses
import glob
import hashlib
import os
import resource
import signal
import subprocess
import tempfile
import time

import builder


class RunError(Exception):
    """One sentence for the user."""


class LimitError(RunError):
    """It took too long."""


@dataclasses.dataclass(frozen=True)
class Result:
    seconds: float  # user and system time
    output: str  # hash of all output and files


def cpu_time_of(command, executable, folder, environment):
    """Run to the end. Returns (struct rusage of it and its children, stdout)."""
    process = subprocess.Popen(command, executable=executable, cwd=folder,
                               env=environment, stdout=subprocess.PIPE)
    with process.stdout:
        printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RunError(f"{executable} ended with status {process.returncode}")
    return usage, printed


def usage_of(command, folder, environment, stdout=subprocess.DEVNULL,
             needs_stack=False, limit=None):
    """Run to the end; output on stderr is an error. Returns struct rusage. needs_stack: with the
    largest stack that is allowed. limit: seconds of CPU time, after which it is killed."""
    def set_limits():
        if needs_stack:
            _, most = resource.getrlimit(resource.RLIMIT_STACK)
            resource.setrlimit(resource.RLIMIT_STACK, (most, most))
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    process = subprocess.Popen(command, cwd=folder, env=environment,
                               stdout=stdout, stderr=subprocess.PIPE,
                               preexec_fn=set_limits if needs_stack or limit
                               else None)
    with process.stderr:
        errors = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if limit and process.returncode == -signal.SIGKILL:
        raise LimitError(f"more than {limit} s")
    if process.returncode != 0:
        raise RunError(errors.strip() or f"{command[0]} ended with status "
                                       f"{process.returncode}")
    return usage


def run(program, variant, out, factor):
    executable = os.path.join(builder.folder_of(out, program, variant),
                              "program")
    arguments = program.arguments(out, factor)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        environment = builder.clean_environment()
        # gcov would write beside the objects.
        environment["GCOV_PREFIX"] = folder
        usage, printed = cpu_time_of(["program", *arguments], executable, folder,
                                     environment)
        digest = hashlib.sha256(printed)
        for name in program.outputs:
            with open(os.path.join(folder, name), "rb") as file:
                digest.update(file.read())
        if variant.profile and not glob.glob(
                os.path.join(folder, "**", variant.profile), recursive=True):
            raise RunError(f"{executable} left no {variant.profile}")
    return Result(usage.ru_utime + usage.ru_stime, digest.hexdigest())


def peak_kib_of_command(command, folder, environment):
    """The maximum resident memory, up to some milliseconds before the end; 0 for shorter runs. Not
    from wait4, which includes the memory of this script."""
    peak = 0
    process = subprocess.Popen(command, cwd=folder, env=environment,
                               stdout=subprocess.DEVNULL)
    while process.poll() is None:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    peak = max(peak, int(line.split()[1]))
        time.sleep(0.001)
    if process.returncode != 0:
        raise RunError(f"{command[0]} ended with status {process.returncode}")
    return peak


def peak_kib_of(program, variant, out, arguments):
    executable = os.path.join(builder.folder_of(out, program, variant),
                              "program")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        environment = builder.clean_environment()
        environment["GCOV_PREFIX"] = folder
        return peak_kib_of_command([executable, *arguments], folder,
                                   environment)


def run_interleaved(pairs, out, factor, n_runs, report):
    """Every pair of program and variant in turn, n_runs times.

    Every other round is in reverse order, so that a machine that slows down does not penalise the
    last ones. Returns {pair: [Result]}, round by round. Raises RunError if two builds of a program
    print different things.
    """
    results = {pair: [] for pair in pairs}
    expected = {}
    for i_run in range(n_runs):
        for program, variant in pairs[::-1] if i_run % 2 else pairs:
            result = run(program, variant, out, factor)
            wanted, by = expected.setdefault(program, (result.output, variant))
            if result.output != wanted:
                raise RunError(f"{program.name} prints something else in the "
                               f"builds {variant.name} and {by.name}")
            results[program, variant].append(result)
        report(f"run {i_run + 1} of {n_runs}")
    return results
