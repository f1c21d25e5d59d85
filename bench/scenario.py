# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defines scenarios of bench/reliability: a program, its conditions, the truth.

Scenarios are listed in scenarios_harm.py and scenarios_loss.py. A program is plain C or C++; if a
test of the runtime has it, the source of the test is used.
"""
import dataclasses
import os
from collections.abc import Callable, Mapping

BENCH = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(os.path.dirname(BENCH), "test", "lit", "runtime")


@dataclasses.dataclass(frozen=True)
class Library:
    """A shared library beside the program; it is not linked to it."""
    file: str  # lib*.so
    source: str
    flags: tuple = ()


def nothing(_run):
    """The default of the functions below."""


@dataclasses.dataclass(frozen=True)
class Scenario:
    """Functions get a run_scenario.Run: its folder, the variant, the profile's name."""
    number: int  # the row of docs/RELIABILITY.md
    title: str
    source: str  # in bench/scenarios, or else in test/lit/runtime
    arguments: tuple = ()
    # Function -> its calls: a number, or (least, most). Summed over all files.
    calls: Mapping = dataclasses.field(default_factory=dict)
    flags: tuple = ()  # of the compiler, in each variant
    libraries: tuple = ()
    # The program itself is built plainly; only its libraries are instrumented.
    is_program_plain: bool = False
    # One profile per process, by the option that each tool has for it.
    has_pid_names: bool = False
    environment: Mapping = dataclasses.field(default_factory=dict)
    limits: Mapping = dataclasses.field(default_factory=dict)  # RLIMIT_*: value
    closed: tuple = ()  # descriptors that are closed at start
    wrapper: tuple = ()  # command before the program, "{folder}" replaced
    # Before the program runs, in the folder: make files, change modes.
    prepare: Callable = nothing
    # After the run: returns the error as a short text, or None.
    check: Callable = nothing
    # In the program's process, between fork() and exec.
    in_child: Callable = None
    needs_root: bool = False
    # No data is expected: a missing file is correct.
    wants_no_profile: bool = False
    # A missing file is as correct as an existing one.
    may_lack_profile: bool = False
    # gcc makes a different program of it.
    needs_clang: bool = False

    def path_of(self, source):
        own = os.path.join(BENCH, "scenarios", source)
        return own if os.path.exists(own) else os.path.join(TESTS, source)
