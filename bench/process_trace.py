# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of `strace -f -e trace=fork,vfork,clone,clone3,execve`."""
import collections
import os
import re


class Trace:
    """System calls of the processes that run a program, read from the output of
    strace: `PID call(...) = result`, in two lines if another call was printed in between."""

    def __init__(self, program, rows):
        self.program = program
        self.rows = [re.match(r"(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)",
                              row).groups() for row in rows]
        self.parents = {}
        self.is_shell = {self.rows[0][0]: False}  # strace's child
        self.begun = {}  # by process: the call, and the program to execute
        self.counts = collections.Counter()

    @staticmethod
    def result_of(rest):
        match = re.search(r"= (-?\d+)[^=]*$", rest)
        return int(match.group(1)) if match else None

    def begin(self, pid, call, rest):
        if call.startswith("clone"):
            call = "vfork" if "CLONE_VFORK" in rest else "fork"
        path = re.match(r'"([^"]*)"', rest)
        self.begun[pid] = (call, path.group(1) if path else "")
        self.counts[call] += self.is_shell[pid]

    def end(self, pid, result):
        call, path = self.begun[pid]
        if call != "execve":
            self.is_shell.setdefault(str(result), self.is_shell[pid])
        elif result == 0:
            self.is_shell[pid] = os.path.realpath(path) == self.program
            self.counts["main"] += self.is_shell[pid]

    def count(self):
        """Returns {call: number}."""
        for pid, resumed, begun, rest in self.rows:
            if (begun or resumed) != "execve" and (self.result_of(rest) or 0) > 0:
                self.parents[str(self.result_of(rest))] = pid
        for pid, resumed, begun, rest in self.rows:
            if pid not in self.is_shell:  # the parent still waits for it
                self.is_shell[pid] = self.is_shell[self.parents[pid]]
            if begun:
                self.begin(pid, begun, rest)
            if self.result_of(rest) is not None:
                self.end(pid, self.result_of(rest))
        return self.counts
