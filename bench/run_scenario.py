# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a scenario's program with each tool, runs it in a fresh folder, and
reports the differences from the run of the plain program."""
import collections
import dataclasses
import fnmatch
import hashlib
import os
import resource
import signal
import stat
import subprocess
import tempfile
from collections.abc import Callable

import builder
import call_counts

SECONDS = 10  # after which a run is considered to hang


class ScenarioError(Exception):
    """One sentence for the user."""


@dataclasses.dataclass(frozen=True)
class Variant:
    name: str
    compiler: str  # "clang", "gcc" or "arcline"
    options: tuple
    target: str  # the profile's name; {source}: the source's without suffix
    patterns: tuple  # of names of profiles
    read_calls: Callable
    pid_names: tuple  # variable of the environment and value


VARIANTS = [
    Variant("plain", "clang", (), "", (), None, ()),
    Variant("arcline", "arcline", ("-g",), "gmon.out", ("gmon*",),
            call_counts.of_arcline, ("ARCLINE_OPTIONS", "out=gmon.%p")),
    Variant("gcc -pg", "gcc", ("-pg",), "gmon.out", ("gmon*",),
            call_counts.of_gprof, ("GMON_OUT_PREFIX", "gmon")),
    Variant("gcov", "gcc", ("--coverage",), "program-{source}.gcda",
            ("*.gcda",), call_counts.of_gcov, ()),
    Variant("llvm", "clang", ("-fprofile-instr-generate", "-fcoverage-mapping"),
            "default.profraw", ("*.profraw",), call_counts.of_llvm,
            ("LLVM_PROFILE_FILE", "default.%p.profraw")),
]


@dataclasses.dataclass
class Run:
    folder: str
    variant: Variant
    target: str  # the profile's name, "" in the plain variant
    # After the run:
    status: int = 0  # as of a shell: 128 + signal
    hangs: bool = False
    stdout: bytes = b""
    stderr: bytes = b""

    def path(self, name):
        return os.path.join(self.folder, name)


@dataclasses.dataclass(frozen=True)
class Outcome:
    harm: tuple  # of short texts; none: as the plain program
    said: str  # the first line of standard error that is not the program's
    data: str  # calls in the profile, compared with the truth
    is_exact: bool

    def __str__(self):
        said = [f'"{self.said}"'] if self.said else []
        return "; ".join([*(self.harm or ("ok",)), self.data, *said])


def is_profile(name, variant):
    return any(fnmatch.fnmatch(os.path.basename(name), pattern)
               for pattern in variant.patterns)


def identity_of(path):
    """Kind and content; only regular files are opened."""
    status = os.lstat(path)
    kind = stat.S_IFMT(status.st_mode)
    if stat.S_ISLNK(kind):
        return kind, os.readlink(path)
    if not stat.S_ISREG(kind):
        return kind, ""
    with open(path, "rb") as file:
        return kind, hashlib.sha256(file.read()).hexdigest()


def files_in(folder):
    """Every name below the folder, with its kind and content."""
    found = {}
    for parent, folders, names in os.walk(folder):
        for name in [*folders, *names]:
            path = os.path.join(parent, name)
            found[os.path.relpath(path, folder)] = identity_of(path)
    return found


def compile_one(command, folder):
    done = subprocess.run(command, cwd=folder, env=builder.clean_environment(),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    if done.returncode:
        raise ScenarioError(f"{' '.join(command)} failed:\n"
                         f"{done.stdout.decode(errors='replace')}")


def build(scenario, variant, compilers, folder):
    """Compiles in the folder of the run, which gcov records."""
    path = scenario.path_of(scenario.source)
    is_cxx = not path.endswith(".c")
    plain = VARIANTS[0] if scenario.is_program_plain else variant
    for library in scenario.libraries:
        compile_one([compilers[variant.compiler].cc, "-O2", *variant.options,
                     "-fPIC", "-shared", scenario.path_of(library.source),
                     *library.flags, "-o", library.file], folder)
    compiler = compilers[plain.compiler]
    compile_one([compiler.cxx if is_cxx else compiler.cc, "-O2",
                 *plain.options, path, *scenario.flags, "-o", "program"],
                folder)


def status_of(returncode):
    return 128 - returncode if returncode < 0 else returncode


def limit_child(scenario):
    """Returns the actions in the child before the program starts."""
    def run():
        for name, value in scenario.limits.items():
            number = getattr(resource, name)
            # A pair of the soft and the hard limit, or one number for both.
            both = value if isinstance(value, tuple) else (value, value)
            resource.setrlimit(number, both)
        if scenario.in_child:
            scenario.in_child()
        for fd in scenario.closed:
            os.close(fd)
    return run


def kill_session(process):
    """Ends the run and all processes in its session."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def execute(scenario, run):
    environment = builder.clean_environment()
    if scenario.has_pid_names and run.variant.pid_names:
        name, value = run.variant.pid_names
        environment[name] = value
    environment.update(scenario.environment)
    wrapper = [word.replace("{folder}", run.folder) for word in scenario.wrapper]
    process = subprocess.Popen(
        [*wrapper, run.path("program"), *scenario.arguments], cwd=run.folder,
        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
        preexec_fn=limit_child(scenario))
    try:
        run.stdout, run.stderr = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        run.hangs = True
        kill_session(process)
        run.stdout, run.stderr = process.communicate()
    kill_session(process)
    run.status = status_of(process.returncode)


def names_of_files(names):
    shown = ", ".join(sorted(names)[:3])
    return shown + (", ..." if len(names) > 3 else "")


def harm_of(run, plain, before, after):
    """The differences from the plain run, as short texts."""
    harm = []
    if run.hangs and not plain.hangs:
        harm.append("hangs")
    elif run.status != plain.status:
        harm.append(f"status {run.status}, not {plain.status}")
    if run.stdout != plain.stdout and not run.hangs:
        harm.append("stdout differs")
    changed = {name for name in before
               if after.get(name) != before[name]
               and not (before[name][0] == stat.S_IFREG
                        and is_profile(name, run.variant))}
    if changed:
        harm.append("changes " + names_of_files(changed))
    added = {name for name in after if name not in before
             and not is_profile(name, run.variant)}
    if added:
        harm.append("leaves " + names_of_files(added))
    return harm


def profiles_of(scenario, variant, after, before):
    """Images (the program first), and the profiles that the run wrote."""
    images = ["program", *(library.file for library in scenario.libraries)]
    profiles = sorted(
        name for name, identity in after.items()
        if is_profile(name, variant) and identity[0] == stat.S_IFREG
        and before.get(name) != identity and not name.endswith(".arcline"))
    return images, profiles


def is_as_expected(expected, found):
    if isinstance(expected, tuple):
        return expected[0] <= found <= expected[1]
    return expected == found


def shown(expected):
    if isinstance(expected, tuple):
        return f"{expected[0]} to {expected[1]}"
    return str(expected)


def data_of(scenario, run, tools, after, before):
    """Returns a short text, and whether the data is complete."""
    images, profiles = profiles_of(scenario, run.variant, after, before)
    if scenario.wants_no_profile:
        return ("writes a profile", False) if profiles else ("no profile", True)
    if not profiles:
        return "no profile", scenario.may_lack_profile
    if not any(os.path.getsize(run.path(name)) for name in profiles):
        return "an empty profile", False
    if not scenario.calls:
        return "profile", True
    counts = run.variant.read_calls(tools, run.folder, images, profiles)
    wrong = [f"{counts[name]} of {shown(expected)} calls of {name}"
             for name, expected in scenario.calls.items()
             if not is_as_expected(expected, counts[name])]
    return ", ".join(wrong) or "exact", not wrong


def said_by(run, plain):
    known = plain.stderr.decode(errors="replace").splitlines()
    text = run.stderr.decode(errors="replace")
    said = [line.strip().replace(run.folder + "/", "")
            for line in text.splitlines() if line not in known]
    if len(said) > 1:
        return f"{said[0]} (and {len(said) - 1} more)"
    return said[0] if said else ""


def try_variant(scenario, variant, compilers, tools, plain):
    """Returns (run, files of its own, Outcome). plain: the same of the plain
    variant, or None."""
    with tempfile.TemporaryDirectory(prefix="reliability-") as folder:
        source = os.path.splitext(os.path.basename(scenario.source))[0]
        run = Run(folder, variant, variant.target.format(source=source))
        build(scenario, variant, compilers, folder)
        scenario.prepare(run)
        before = files_in(folder)
        execute(scenario, run)
        os.chmod(folder, 0o755)
        after = files_in(folder)
        complaint = scenario.check(run)
        if plain is None:
            own = {name: identity for name, identity in after.items()
                   if before.get(name) != identity}
            if run.hangs or complaint:
                raise ScenarioError(f"scenario {scenario.number} {scenario.title}: "
                                 f"the plain program {complaint or 'hangs'}")
            return run, own, None
        plain_run, own, _ = plain
        harm = harm_of(run, plain_run, {**before, **own}, after)
        if complaint:
            harm.append(complaint)
        said = said_by(run, plain_run)
        data, is_exact = data_of(scenario, run, tools, after, before)
        return run, own, Outcome(tuple(harm), said, data, is_exact)


def try_all(scenario, variants, compilers, tools):
    """Returns {name of variant: Outcome, or "-" where there is none}."""
    outcomes = collections.OrderedDict()
    plain = try_variant(scenario, VARIANTS[0], compilers, tools, None)
    for variant in variants:
        if scenario.needs_clang and variant.compiler == "gcc":
            outcomes[variant.name] = "-"
            continue
        outcomes[variant.name] = try_variant(scenario, variant, compilers,
                                             tools, plain)[2]
    return outcomes
