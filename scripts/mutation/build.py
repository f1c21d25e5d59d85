# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A copy of the tree, its build, and its programs linked with a changed module.

The copy is in FOLDER/tree and its build in FOLDER/build. A changed module is compiled
alone, with the command of the build, and linked in place of the one that is there.
"""
import fcntl
import json
import os
import re
import shlex
import shutil
import subprocess


# An access outside of an array ends the program, and an uninitialised variable
# is not 0. No library is needed, so that the runtime can be compiled with
# these.
TRAPS = ["-ftrivial-auto-var-init=pattern", "-fsanitize=bounds,integer-divide-by-zero,shift-exponent",
         "-fsanitize-undefined-trap-on-error"]


class BuildError(Exception):
    """One sentence for the user."""


def run(command, log=None, **options):
    """Run it; what it prints is in the file `log`."""
    with open(log or os.devnull, "w", encoding="utf-8") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False, **options)
    if done.returncode:
        raise BuildError(f"{shlex.join(command[:2])} failed{': see ' + log if log else ''}")


def copy_tree(root, copy):
    """Make `copy` equal to the working tree; equal files keep their time."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root,
                           stdout=subprocess.PIPE, text=True, check=True).stdout.split("\0")
    wanted = {name for name in names if name and os.path.isfile(os.path.join(root, name))}
    for folder, _, files in os.walk(copy):
        for name in files:
            if os.path.relpath(os.path.join(folder, name), copy) not in wanted:
                os.unlink(os.path.join(folder, name))
    for name in sorted(wanted):
        source, target = os.path.join(root, name), os.path.join(copy, name)
        if not is_same(source, target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)


def is_same(source, target):
    if not os.path.exists(target):
        return False
    one, other = os.stat(source), os.stat(target)
    return (one.st_mtime_ns, one.st_size) == (other.st_mtime_ns, other.st_size)


class Build:
    def __init__(self, root, folder):
        self.tree = os.path.join(folder, "tree")
        self.path = os.path.join(folder, "build")
        self.log = os.path.join(folder, "log")
        os.makedirs(self.tree, exist_ok=True)
        # Locked until the process ends: two builds at once damage a folder.
        self.lock = open(os.path.join(folder, "lock"), "w", encoding="utf-8")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BuildError(f"{folder}: another scripts/mutate is at work there") from error
        copy_tree(root, self.tree)
        self.links = {}
        self.compiles = {}

    def make(self, targets, options, jobs):
        """Configure and build; then read the commands."""
        run(["cmake", "-S", self.tree, "-B", self.path, "-G", "Ninja",
             "-DCMAKE_BUILD_TYPE=Release", "-DARCLINE_BUILD_TESTS=ON",
             "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options], self.log)
        run(["ninja", "-C", self.path, f"-j{jobs}", *targets], self.log)
        with open(os.path.join(self.path, "compile_commands.json"), encoding="utf-8") as file:
            for entry in json.load(file):
                module = os.path.relpath(entry["file"], self.tree)
                self.compiles.setdefault(module, []).append(shlex.split(entry["command"]))

    def link_command(self, target):
        """The command that makes the program or library."""
        if target not in self.links:
            done = subprocess.run(["ninja", "-C", self.path, "-t", "commands", "-s", target],
                                  stdout=subprocess.PIPE, text=True, check=False)
            lines = [line for line in done.stdout.splitlines() if target in line]
            if done.returncode or not lines:
                raise BuildError(f"ninja has no command for {target}")
            self.links[target] = lines[-1]
        return self.links[target]

    def is_sanitized(self, target):
        return "-fsanitize=" in self.link_command(target)

    def users(self, module, target):
        """The objects of the module that go into the target, as compile commands and files:
        its own, or those in a library of it."""
        link = self.link_command(target)
        archives = set(re.findall(r" (lib/lib\w[\w-]*\.a)", link)) - {target}
        objects = " ".join([link, *map(self.link_command, sorted(archives))]) + " "
        for command in self.compiles.get(module, []):
            made = command[command.index("-o") + 1]
            if f" {made} " in objects:
                yield command, made

    def compile(self, command, source, made):
        """The module from another source. Whether that is C."""
        original = os.path.dirname(command[-1])
        kept = [word for word in command[:command.index("-o")]
                if not re.match(r"-(W|M|g|O)", word) and not word.endswith(".d")]
        if "-MT" in command:
            kept = [word for word in kept if word != command[command.index("-MT") + 1]]
        done = subprocess.run([*kept, *TRAPS, "-w", "-O1", "-iquote", original, "-o", made,
                               "-c", os.path.basename(source)], cwd=os.path.dirname(source),
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=False)
        if done.returncode and " error: " not in done.stderr:
            raise BuildError(f"{source}: the compiler failed: {done.stderr.strip()}")
        return done.returncode == 0

    def link(self, target, replaced, made, output):
        """The program or library with the object `made` for `replaced`, as `output`."""
        link = self.link_command(target)
        if f" {replaced} " in link + " ":
            link = link.replace(f" {replaced} ", f" {shlex.quote(made)} ")
        else: # members of an archive with the same names are left out
            link = re.sub(r" lib/", lambda match: f" {shlex.quote(made)} lib/", link, count=1)
        link = re.sub(rf"(?<![\w/])({re.escape(self.path)}/)?{re.escape(target)}(?!\w)",
                      lambda _: shlex.quote(output), link)
        done = subprocess.run(link, shell=True, cwd=self.path, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise BuildError(f"{target}: the linker failed: {done.stderr.strip()}")
