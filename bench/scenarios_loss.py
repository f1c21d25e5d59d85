# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists scenarios in which data might be wrong or lost: numbers 34 to 64."""
from scenario import Scenario

THREADS = ("-lpthread",)

SCENARIOS = [
    *(Scenario(34, f"{n} thread{'s' * (n > 1)} of {calls} calls", "threads.c",
               (str(n), str(calls)), {"leaf": n * calls}, flags=THREADS)
      for n, calls in ((1, 10**7), (4, 10**7), (16, 4 * 10**6),
                       (64, 10**6))),
    Scenario(35, "siglongjmp() out of calls at 1 kHz", "jumps.c",
             calls={"leaf": (10**7 - 200, 10**7 + 200)}),
    Scenario(36, "handlers, nested five deep, call", "nested.c",
             calls={"in_handler": 5000}),
    Scenario(37, "threads end in five ways", "thread-ends.c",
             calls={"leaf": 4000, "at_end": 2}, flags=THREADS),
    Scenario(38, "10,000 short threads", "short-threads.c",
             calls={"leaf": 10**6}, flags=THREADS),
    Scenario(39, "nine children and a daemon", "family.c", has_pid_names=True,
             calls={"before": 100, "in_child": 9000, "in_daemon": 7}),
    Scenario(40, "fork() while eight threads call", "fork-while-calling.c",
             calls={"in_child": 50000}, flags=THREADS, has_pid_names=True),
    Scenario(45, "4,096 callees of one call", "many-callees.c",
             calls={"leaf": 1, "after": 10}),
    Scenario(46, "functions of a few bytes", "arcs-tiny-functions.c",
             calls={"tiny": 6001, "by_one": 1000, "by_three": 1000},
             flags=("-Os", "-falign-functions=1",
                    "-Ddisable_tail_calls=unused")),
    Scenario(53, "constructors, destructors", "before-and-after-main.c",
             calls={"early": 3, "late": 3}),
    Scenario(55, "loops and recursion that are left", "left-loops.c",
             calls={"leaf": 10**6, "deep": 10**5}),
    Scenario(55, "100,000 exceptions", "throws.cpp", calls={"leaf": 10**5}),
    Scenario(61, "another folder at the end", "moves.c",
             calls={"leaf": 1000}),
    Scenario(64, "no descriptors left", "no-descriptors.c",
             calls={"leaf": 1000}),
]
