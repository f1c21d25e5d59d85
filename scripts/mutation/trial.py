# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries a mutant: builds it, runs the tests of its module, and returns whether one fails."""
import dataclasses
import filecmp
import glob
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from mutation import build as builds

PRODUCTS = ("bin/arcline", "lib/libarcline.a", "lib/libarcline-shared.a",
            "lib/libarcline-threads.a")
WALL_SECONDS = 120 # for a test that waits and does not end
MEMORY_BYTES = 4 << 30
SANITIZERS = {"ASAN_OPTIONS": "hard_rss_limit_mb=4096:allocator_may_return_null=1",
              "UBSAN_OPTIONS": "print_stacktrace=0"}

KILLED, LIVED, SAME, NOT_C = "killed", "lived", "same code", "not C"


@dataclasses.dataclass
class Module:
    """A module, the tests that are run for it and the mutants to try."""
    path: str
    tests: list
    lit: list
    mutants: list = dataclasses.field(default_factory=list)
    cpu_seconds: dict = dataclasses.field(default_factory=dict)


class Failure(Exception):
    """The tests fail, or cannot be built, without any change."""


def limit(program, cpu_seconds, is_sanitized):
    """The command that runs it within limits. AddressSanitizer reserves address space that
    it does not use, and has a limit of its own."""
    limits = [f"--cpu={cpu_seconds}", "--core=0"]
    return ["prlimit", *limits, *([] if is_sanitized else [f"--as={MEMORY_BYTES}"]), program]


def run_test(program, folder, cpu_seconds, is_sanitized):
    """Whether it succeeds, within limits, in an empty folder."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        environment = dict(os.environ, TMPDIR=scratch, **SANITIZERS)
        with subprocess.Popen(limit(program, cpu_seconds, is_sanitized), cwd=scratch,
                              env=environment, start_new_session=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                return process.wait(WALL_SECONDS) == 0
            except subprocess.TimeoutExpired:
                return False
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass


class Worker:
    """A folder of its own, with the build of one mutant at a time."""

    def __init__(self, build, folder):
        self.build = build
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        self.text, self.made = None, {} # of the last module: by the build's object

    def compile_once(self, module, text, command, replaced):
        """The changed module, compiled as the build's object `replaced`; None if it is
        not C any more."""
        if self.text != (module, text):
            self.text, self.made = (module, text), {}
        if replaced not in self.made:
            place = os.path.join(self.folder, str(len(self.made)))
            os.makedirs(place, exist_ok=True)
            source = os.path.join(place, os.path.basename(module))
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            output = os.path.join(place, "object.o")
            is_made = self.build.compile(command, source, output)
            self.made[replaced] = output if is_made else None
        return self.made[replaced]

    def compile(self, module, target, text):
        """The objects of the changed module that go into the target: (object, the build's);
        None if it is not C any more."""
        made = []
        for command, replaced in self.build.users(module, target):
            output = self.compile_once(module, text, command, replaced)
            if output is None:
                return None
            made.append((output, replaced))
        return made

    def link(self, target, made):
        output = os.path.join(self.folder, os.path.basename(target))
        for name, replaced in made:
            self.build.link(target, replaced, name, output)
        return output if made else None

    def passes_unit(self, module, text, unchanged):
        """KILLED by a unit test, or LIVED, SAME, NOT_C."""
        for test in module.tests:
            target = f"bin/{test}"
            made = self.compile(module.path, target, text)
            if made is None:
                return NOT_C
            if all(filecmp.cmp(name, unchanged[target, i], shallow=False)
                   for i, (name, _) in enumerate(made)):
                return SAME
            program = self.link(target, made)
            if not run_test(program, self.folder, module.cpu_seconds[test],
                            self.build.is_sanitized(target)):
                return KILLED
        return LIVED

    def passes_lit(self, module, text):
        """Whether its lit tests pass, with the programs built of the changed module."""
        overlay = os.path.join(self.folder, "build")
        shutil.rmtree(overlay, ignore_errors=True)
        for part in ("bin", "lib"):
            os.makedirs(os.path.join(overlay, part))
            for name in glob.glob(os.path.join(self.build.path, part, "*")):
                os.symlink(name, os.path.join(overlay, part, os.path.basename(name)))
        for target in PRODUCTS:
            made = self.compile(module.path, target, text)
            if made:
                output = self.link(target, made)
                os.unlink(os.path.join(overlay, target))
                os.rename(output, os.path.join(overlay, target))
        return run_lit(self.build, overlay, module.lit)


def run_lit(build, overlay, names):
    """Run lit tests of the copied tree with the programs in `overlay`."""
    suite = os.path.join(overlay, "lit")
    os.makedirs(suite, exist_ok=True)
    with open(os.path.join(build.path, "test", "lit", "lit.site.cfg.py"), encoding="utf-8") as file:
        text = file.read()
    for name, value in (("build_dir", overlay), ("test_exec_root", suite)):
        text = re.sub(rf"^config\.{name} = .*$", lambda _, name=name, value=value:
                      f"config.{name} = {value!r}", text, flags=re.MULTILINE)
    with open(os.path.join(suite, "lit.site.cfg.py"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(build.path, "CMakeCache.txt"), encoding="utf-8") as file:
        lit = re.search(r"^LIT:\w+=(.*)$", file.read(), re.MULTILINE)
    done = subprocess.run([sys.executable, lit[1] if lit else "lit", "-q", "-j1", "--timeout=300",
                           "--max-failures=1", *names], cwd=suite, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode == 0


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(build, folder, module, text):
    """Try the module as it is: its tests must pass. Returns the objects of it, with which
    those of mutants are compared: {(target, number): file}."""
    worker = Worker(build, folder)
    unchanged = {}
    # Those of a folder need not use all of its modules.
    module.tests = [test for test in module.tests
                    if any(build.users(module.path, f"bin/{test}"))]
    if not module.tests and not module.lit:
        raise Failure(f"{module.path}: no test is linked with it")
    for test in module.tests:
        target = f"bin/{test}"
        made = worker.compile(module.path, target, text)
        if made is None:
            raise Failure(f"{module.path}: cannot be compiled as it is")
        program = worker.link(target, made)
        before, started = cpu_of_children(), time.monotonic()
        if not run_test(program, folder, WALL_SECONDS, build.is_sanitized(target)):
            raise Failure(f"{module.path}: {test} fails as it is")
        used = min(cpu_of_children() - before, time.monotonic() - started)
        module.cpu_seconds[test] = 1 + int(5 * used)
        for i, (name, _) in enumerate(made):
            kept = os.path.join(folder, f"{test}.{i}.o")
            shutil.copy(name, kept)
            unchanged[target, i] = kept
    return unchanged


def try_mutant(worker, module, mutant, unchanged):
    verdict = LIVED
    if module.tests:
        verdict = worker.passes_unit(module, mutant.text, unchanged)
    if verdict == LIVED and module.lit and not worker.passes_lit(module, mutant.text):
        verdict = KILLED
    return verdict


__all__ = ["Failure", "Module", "Worker", "builds", "measure", "try_mutant"]
