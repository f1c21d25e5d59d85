# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios in which data might be wrong or lost: numbers 34 to 64."""
from scenario import Scenario

THREADS = ("-lpthread",)

SCENARIOS = [
    Scenario(34, "16 threads, 100,000 calls each", "threads.c", ("16",),
             {"leaf": 1600000}, flags=THREADS),
]
