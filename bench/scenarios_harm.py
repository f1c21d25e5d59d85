# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists scenarios in which a profiler might harm the program: numbers 1 to 33.

Those that only a test of the runtime itself can produce are not here.
"""
import os
import shutil
import socket
import subprocess

from scenario import Library, Scenario

CALLS = {"leaf": 1000}
THREADS = ("-lpthread",)
# Longer than any path, and shorter than the kernel's limit.
LONG_NAME = "x" * 100000
SMALL_STACK = ("bash", "-c", 'ulimit -s 256; exec "$0"')
AS_NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


def fifo(run):
    if run.target:
        os.mkfifo(run.path(run.target))


def unix_socket(run):
    if run.target:
        # The path is too long for an address, so connect from inside the folder.
        here = os.getcwd()
        os.chdir(run.folder)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(run.target)
        os.chdir(here)


def folder(run):
    if run.target:
        os.mkdir(run.path(run.target))


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def link_to(text):
    """A symbolic link to a file with this text; None: a dangling one."""
    def prepare(run):
        if run.target:
            os.symlink("elsewhere", run.path(run.target))
        if text is not None:
            write(run.path("elsewhere"), text)
    return prepare


def device(run):
    if run.target:
        os.symlink("/dev/full", run.path(run.target))


def hard_link(run):
    write(run.path("elsewhere"), "text\n")
    if run.target:
        os.link(run.path("elsewhere"), run.path(run.target))


def run_before(run):
    """Leaves a good profile of an earlier run."""
    subprocess.run([run.path("program")], cwd=run.folder, check=False,
                   stdout=subprocess.DEVNULL)
    if run.target:
        shutil.copy(run.path(run.target), run.path("copy"))


def is_damaged(run):
    if not run.target:
        return None
    old, new = os.path.getsize(run.path("copy")), os.path.getsize(
        run.path(run.target))
    return None if new == old else f"cuts the old profile to {new} bytes"


def set_user_id(run):
    """A set-user-ID program of root, started by user nobody, in a folder that all users may write
    to."""
    hard_link(run)
    os.chmod(run.path("elsewhere"), 0o600)
    os.chmod(run.path("program"), 0o4755)
    os.chmod(run.folder, 0o777)


SCENARIOS = [
    Scenario(1, "burns CPU time, then execs a shell", "exec.c",
             may_lack_profile=True),
    Scenario(1, "burns CPU time, then spawns a shell", "exec.c", ("spawn",)),
    Scenario(2, "a resolver of an ifunc calls a function", "ifunc.c",
             calls={"leaf": (2, 3)}),
    Scenario(2, "the same, static", "ifunc.c", calls={"leaf": (2, 3)},
             flags=("-static",)),
    Scenario(3, "the profile's name is a FIFO", "calls.c", prepare=fifo,
             wants_no_profile=True),
    Scenario(3, "... a socket", "calls.c", prepare=unix_socket,
             wants_no_profile=True),
    Scenario(3, "... a folder", "calls.c", prepare=folder,
             wants_no_profile=True),
    Scenario(3, "... a symbolic link to nothing", "calls.c",
             prepare=link_to(None), wants_no_profile=True),
    Scenario(3, "... a symbolic link to another's file", "calls.c",
             prepare=link_to("text\n"), wants_no_profile=True),
    Scenario(3, "... a symbolic link to /dev/full", "calls.c", prepare=device,
             wants_no_profile=True),
    Scenario(3, "... a hard link to another's file", "calls.c", calls=CALLS,
             prepare=hard_link),
    Scenario(4, "set-user-ID root, a hard link to root's file", "calls.c",
             prepare=set_user_id, wrapper=AS_NOBODY, needs_root=True,
             wants_no_profile=True),
    Scenario(5, "the program's own file has descriptor 2, the profile fails",
             "program-closed-descriptors.c", ("reopen",), flags=THREADS,
             prepare=folder, wants_no_profile=True),
    Scenario(5, "started without descriptors 0 to 2",
             "program-closed-descriptors.c",
             ("at-start",), CALLS, flags=THREADS, closed=(0, 1, 2)),
    Scenario(6, "files may have 0 bytes", "calls.c", limits={"RLIMIT_FSIZE": 0},
             prepare=run_before, check=is_damaged, wants_no_profile=True),
    Scenario(6, "files may have 100 bytes", "calls.c",
             limits={"RLIMIT_FSIZE": 100}, prepare=run_before,
             check=is_damaged, wants_no_profile=True),
    Scenario(7, "its own malloc, memcpy, strlen, write",
             "program-own-libc-functions.c",
             flags=(*THREADS, "-fno-builtin"), calls={"strlen": 80000}),
    Scenario(10, "takes SIGPROF and its timer for itself", "own-ticks.c"),
    Scenario(11, "counts waits that a signal interrupts", "waits.c",
             flags=THREADS),
    Scenario(12, "smallest stacks of threads, contexts, handlers",
             "stacks-small.c", calls={"leaf": 41010000}, flags=THREADS),
    Scenario(13, "100,000 C++ exceptions", "exceptions.cpp",
             calls={"leaf": 133333}),
    Scenario(14, "ten million tail calls in 256 KiB of stack",
             "stacks-musttail-and-coroutines.cpp", flags=("-std=c++20",),
             wrapper=SMALL_STACK, calls={"is_odd": 5000000}, needs_clang=True),
    Scenario(15, "calling conventions", "program-call-conventions.c",
             needs_clang=True),
    Scenario(17, "vfork, posix_spawn, clone(CLONE_VM)",
             "fork-children-that-share-memory.c", flags=THREADS),
    Scenario(18, "fork while threads call", "fork-threads.c", flags=THREADS,
             calls={"leaf": 20000}, has_pid_names=True),
    Scenario(19, "two threads call exit() while 64 call functions",
             "exit-at-once.c", flags=THREADS,
             calls={"leaf": (64000, 1 << 62)}),
    Scenario(20, "a library is loaded and unloaded 200 times", "loads.c",
             flags=("-ldl",), libraries=(Library("libone.so", "library.c"),),
             calls={"leaf": 2000}),
    Scenario(21, "the same in a program that is not instrumented", "loads.c",
             flags=("-ldl",), libraries=(Library("libone.so", "library.c"),),
             is_program_plain=True, calls={"leaf": 2000}),
    Scenario(22, "memory runs out", "memory-runs-out.c", flags=THREADS,
             calls={"leaf": 2000}),
    Scenario(24, "a seccomp filter that kills", "sandbox.c", ("seccomp",),
             environment={"ARCLINE_OPTIONS": "syscalls=none"},
             wants_no_profile=True),
    Scenario(24, "chroot to an empty folder", "sandbox.c", ("chroot",),
             needs_root=True, calls=CALLS),
    Scenario(24, "the working folder is deleted", "sandbox.c", ("deleted",),
             wants_no_profile=True),
    Scenario(24, "a working folder that nobody can write to", "sandbox.c",
             ("read-only",), wants_no_profile=True),
    Scenario(25, "300 threads are cancelled while they call", "cancelled.c",
             flags=THREADS, calls={"leaf": (1, 1 << 62)}),
    Scenario(26, "errno after each call", "errno.c", flags=THREADS,
             calls={"leaf": 10000}),
    Scenario(27, "state of the processor after each call",
             "program-machine-state-kept.c", flags=(*THREADS, "-lm")),
    Scenario(28, "names of profiles with 100,000 characters", "calls.c",
             environment={"GMON_OUT_PREFIX": LONG_NAME,
                          "LLVM_PROFILE_FILE": LONG_NAME,
                          "GCOV_PREFIX": "/" + LONG_NAME}),
    Scenario(29, "recursion to the end of the stack", "overflow.c",
             calls=CALLS, environment={"ARCLINE_OPTIONS": "crash=dump"}),
    Scenario(31, "next descriptor, /proc/self/fd",
             "program-closed-descriptors.c",
             ("numbers",), CALLS, flags=THREADS),
    Scenario(32, "-z now, -z relro, CET", "calls.c", calls=CALLS,
             flags=("-fcf-protection=full", "-Wl,-z,now", "-Wl,-z,relro")),
    Scenario(33, "code in segments a gigabyte apart", "far-sections.c",
             calls={"near": 1000, "far": 1000},
             flags=("-no-pie", "-Wl,--section-start=.far=0x40000000")),
]
