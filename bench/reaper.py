#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command and measures the CPU time of every process that it leads to.

getrusage() and wait4() count only processes that their parent waited for. Servers of a test suite
end after the parent that started them; this process is their next parent (PR_SET_CHILD_SUBREAPER),
so it waits for them, too. Those that run on after the command are killed.

  reaper.py DESCRIPTOR LIMIT USER COMMAND...

Writes "STATUS SECONDS" to the descriptor: the status as subprocess has it, or "late" if the command
took more than LIMIT seconds; USER may be empty.
"""
import ctypes
import os
import resource
import signal
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
GRACE = 5.0  # seconds in which other processes can end by themselves
POLL = 0.1


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:  # it has ended
        return []


def kill_descendants(pid):
    for child in children_of(pid):
        kill_descendants(child)
        try:
            os.kill(child, signal.SIGKILL)
        except OSError:
            continue


def reap(until, first=None):
    """Waits for children. Returns the wait status of the child first as soon as it ends; None at
    the time until, or after the last child."""
    while time.monotonic() < until:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return None
        if pid == first:
            return status
        if pid == 0:
            time.sleep(POLL)
    return None


def run(command, limit, user):
    """Returns (status or "late", seconds of CPU)."""
    as_user = {"user": user, "group": user, "extra_groups": []} if user else {}
    process = subprocess.Popen(command, start_new_session=True, **as_user)
    status = reap(time.monotonic() + limit, process.pid)
    process.returncode = 0  # it is waited for here
    if status is not None:
        reap(time.monotonic() + GRACE)
    while children_of(os.getpid()):
        kill_descendants(os.getpid())
        reap(time.monotonic() + GRACE)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ("late" if status is None else os.waitstatus_to_exitcode(status),
            usage.ru_utime + usage.ru_stime)


def main():
    descriptor, limit, user, *command = sys.argv[1:]
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")
    os.set_inheritable(int(descriptor), False)
    status, seconds = run(command, float(limit), user)
    with os.fdopen(int(descriptor), "w", encoding="ascii") as result:
        result.write(f"{status} {seconds:.3f}\n")


if __name__ == "__main__":
    main()
