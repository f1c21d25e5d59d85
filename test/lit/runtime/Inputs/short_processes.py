# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check the side file of a pool of many short processes:

    short_processes.py SIDE_FILE SECONDS

SECONDS  CPU time that each process uses, by its own clock. The system's figures also have the time
         before the runtime starts, which on some machines is as long.
"""
import sys

LEAST_SAMPLES = 60  # of 120 expected


def main():
    records = {}
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            kind, *words = line.split()
            records.setdefault(kind, []).append(words)
    paths = {words[0]: words[4] for words in records["object"]}
    seconds = sum(map(int, records["cpu"][0])) / 1e6
    rate = int(records["clock"][0][1])
    outside = {}
    for number, _, n_samples in records.get("time", []):
        outside[paths[number]] = outside.get(paths[number], 0) + int(n_samples)
    n_all = seconds * rate
    assert n_all >= LEAST_SAMPLES, n_all
    assert outside.get("[unknown]", 0) <= 0.4 * n_all, (outside, n_all)

    n_sampled = int(records["sampled"][0][0])
    n_signals = int(records["stack-signals"][0][0])
    n_own = outside.get("[profiler]", 0)
    assert 0 < n_sampled <= n_all + 1, (n_sampled, n_all)
    n_used = int(records["processes"][0][0]) * float(sys.argv[2]) * rate
    n_placed = n_sampled + n_own + outside.get("[unknown]", 0)
    assert n_placed >= 0.9 * n_used, (n_placed, n_used)
    assert 0 < n_signals < n_sampled, (n_signals, n_sampled)
    n_stacks = sum(int(words[1]) for words in records["stack"])
    n_squares = int(records["stack-squares"][0][0])
    assert n_squares > n_stacks, (n_squares, n_stacks)


main()
