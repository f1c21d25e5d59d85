#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills an instrumented program at random times and checks the files that it leaves.

usage: kill_runs.py ARCLINE_CC ARCLINE INCLUDE RUNS [MODE]...

In a directory for scratch files. Modes: threads, forks, loads, resets (with persist=mmap: `arcline
recover` finds at least the calls that the program has reported, and at most these and the ones in
progress) and dumps (without: gmon.out is absent or whole). Prints one line per mode; exit code 1 if
a check failed.
"""

import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

INPUTS = os.path.dirname(os.path.abspath(__file__))
MODES = ("threads", "forks", "loads", "resets", "dumps")
BATCH = 64  # calls between two records
MAX_DELAY_S = 0.08


def build(compiler, include):
    common = ["-O2", "-g1", "-I", include]
    library = ["-fPIC", "-shared", "-Wl,--build-id"]
    subprocess.run(
        [compiler, *common, *library, f"{INPUTS}/kill_library.c", "-o", "libkill.so"],
        check=True,
    )
    subprocess.run(
        [compiler, *common, f"{INPUTS}/kill_me.c", "-lpthread", "-ldl", "-o", "kill_me"],
        check=True,
    )


def address(image, name):
    for line in subprocess.check_output(["nm", image], text=True).splitlines():
        if line.split()[-1] == name:
            return int(line.split()[0], 16)
    raise SystemExit(f"{image}: no {name}")


def run(mode, delay_s):
    """Returns the program's id, and the records that it wrote before it was killed."""
    read_end, write_end = os.pipe()
    environment = dict(os.environ)
    if mode != "dumps":
        environment["ARCLINE_OPTIONS"] = "persist=mmap:hz=1000"

    def prepare():
        os.dup2(write_end, 3)

    program = subprocess.Popen(
        ["../kill_me", mode, "../libkill.so"],
        cwd="run",
        env=environment,
        preexec_fn=prepare,
        close_fds=False,
    )
    os.close(write_end)
    pipe = os.fdopen(read_end, "rb")
    data = b""
    os.set_blocking(read_end, False)
    end = time.monotonic() + delay_s
    while time.monotonic() < end:
        data += pipe.read(1 << 20) or b""
    program.send_signal(signal.SIGKILL)
    status = program.wait()
    os.set_blocking(read_end, True)
    data += pipe.read() or b""
    pipe.close()
    if status != -signal.SIGKILL:
        raise SystemExit(f"{mode}: the program ended by itself: {status}")
    size = struct.calcsize("iil")
    records = [struct.unpack_from("iil", data, at) for at in range(0, len(data), size)]
    return program.pid, records


def n_calls(arcline, path, leaf):
    """Counts the calls of leaf in a gmon file, which must be whole."""
    text = subprocess.check_output([arcline, "dump", path], text=True)
    if len(re.findall(r"^blocks", text, re.M)) != 2:
        return 0
    arcs = re.findall(r"^arc from=\S+ self=(\S+) count=(\d+)", text, re.M)
    return sum(int(n) for self, n in arcs if int(self, 16) == leaf)


def bounds(mode, records):
    """Returns the numbers of calls that may have been made."""
    if mode == "resets":
        since = []
        for kind, _, n in records:
            since = [] if kind == ord("e") else since + [(kind, n)]
        n = max([n for _, n in since], default=0)
        if since and since[-1][0] == ord("b"):
            return {0, n}
        return set(range(n, n + BATCH + 1))
    last = {}
    for _, slot, n in records:
        last[slot] = n
    n_active = 6 if mode == "threads" else 1
    n = sum(last.values())
    return range(n, n + n_active * BATCH + 1)


def check_live(arcline, mode, pid, records, leaf):
    # Its children have files of their own.
    live = [name for name in os.listdir("run") if name.endswith(f".live.{pid}")]
    image = "gmon.out.libkill.so" if mode == "loads" else "gmon.out"
    if not live:
        return "early" if not records else "no live file"
    result = subprocess.run(
        [arcline, "recover", "-o", "out", f"run/{live[0]}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if result.returncode:
        return "early" if not records else result.stdout
    if result.stdout.count("\n") != result.stdout.count("out/gmon.out"):
        return result.stdout
    n = n_calls(arcline, f"out/{image}", leaf) if os.path.exists(f"out/{image}") else 0
    expected = bounds(mode, records)
    return "" if n in expected else f"{n} calls, expected {expected}"


def check_dump(arcline, records, leaf):
    if not os.path.exists("run/gmon.out"):
        return "early" if not records else "no gmon.out"
    n = n_calls(arcline, "run/gmon.out", leaf)
    expected = bounds("dumps", records)
    return "" if n in expected else f"{n} calls, expected {expected}"


def main():
    compiler, arcline, include, n_runs = sys.argv[1:5]
    modes = sys.argv[5:] or MODES
    is_bad = False

    build(compiler, include)
    leaf = address("kill_me", "leaf")
    library_leaf = address("libkill.so", "library_leaf")
    for mode in modes:
        results = []
        for _ in range(int(n_runs)):
            for folder in ("run", "out"):
                shutil.rmtree(folder, ignore_errors=True)
                os.mkdir(folder)
            pid, records = run(mode, random.uniform(0, MAX_DELAY_S))
            results.append(
                check_dump(arcline, records, leaf)
                if mode == "dumps"
                else check_live(
                    arcline, mode, pid, records, library_leaf if mode == "loads" else leaf
                )
            )
        n_early = results.count("early")
        wrong = [result for result in results if result not in ("", "early")]
        print(f"{mode}: {len(results)} runs, {n_early} too early, {len(wrong)} wrong")
        for result in wrong[:5]:
            print("  " + result.strip())
        is_bad |= bool(wrong) or n_early == len(results)
    return is_bad


if __name__ == "__main__":
    sys.exit(main())
