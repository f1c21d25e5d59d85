#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare what commands print of a profile with what they print of its archive.

    compare_archive.py [--no-sources] ARCLINE FOLDER OPERAND...

Commands run in FOLDER with the operands. Then FOLDER is moved, another one is in
its place, and the commands run with the archive in a third folder. Output,
messages, exit codes and written files must be the same, byte by byte.
"""

import os
import pathlib
import shutil
import subprocess
import sys

COMMANDS = [
    "report",
    "report --tree --top=0",
    "report --lines",
    "report --top=0 --fields=share,self,total,calls,file,object,name",
    "annotate",
    "annotate --summary",
    "annotate --all --calls --branches --instances --top=5",
    "annotate --asm",
    "gprof",
    "gprof -b -p",
    "gprof -l",
    "gprof -A",
    "gprof -c -q",
    "doctor",
]


def formats(arcline):
    listing = subprocess.run([arcline, "export", "--format=list"], check=True,
                             capture_output=True, text=True).stdout
    return [line.split()[0] for line in listing.splitlines()]


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def run(arcline, folder, words, operands):
    done = subprocess.run([arcline, *words.split(), *operands], cwd=folder,
                          capture_output=True, check=False)
    return [done.returncode, done.stdout, done.stderr]


def run_all(arcline, folder, operands, out):
    """The results of all commands."""
    results = {words: run(arcline, folder, words, operands)
               for words in COMMANDS}
    for name in formats(arcline):
        # A pipe: no format writes to a terminal.
        words = "export --format=" + name
        results[words] = run(arcline, folder, words, operands)
    site = out / "site"
    results["html"] = run(arcline, folder, f"html -o {site}", operands)
    results["html files"] = files_in(site)
    shutil.rmtree(site, ignore_errors=True)
    if len(operands) == 1 and operands != ["."]:
        results["diff"] = run(arcline, folder, "diff --format=json",
                              [operands[0], operands[0]])
        results["diff text"] = run(arcline, folder, "diff", operands * 2)
        # The operands are named.
        for form in '"a": "%s"', '"b": "%s"', "A: %s\n", "B: %s\n":
            for name in "diff", "diff text":
                results[name][1] = results[name][1].replace(
                    (form % operands[0]).encode(),
                    (form % "OPERAND").encode())
    return results


def main():
    words = sys.argv[1:]
    has_sources = words[0] != "--no-sources"
    arcline, folder, *operands = words[0 if has_sources else 1:]
    os.environ["SOURCE_DATE_EPOCH"] = "4000000000"
    home = pathlib.Path(folder).resolve()
    out = home.parent
    away = out / "away"
    away.mkdir(exist_ok=True)
    expected = run_all(arcline, home, operands, out)
    archive = out / "run.arcz"
    archive.unlink(missing_ok=True)
    subprocess.run([arcline, "archive", "-o", str(archive),
                    *(["--sources"] if has_sources else []), *operands],
                   cwd=home, check=True)
    gone = out / "gone"
    home.rename(gone)
    home.mkdir()
    if not has_sources:
        for path in gone.glob("*.c*"):
            shutil.copy(path, home / path.name)
    for path in gone.iterdir():  # built again, from nothing
        if path.is_file() and not (home / path.name).exists():
            (home / path.name).write_bytes(b"")
    found = run_all(arcline, away, [str(archive)], out)
    shutil.rmtree(home)
    gone.rename(home)
    n_bad = 0
    for name, result in expected.items():
        if found[name] == result:
            print("same:", name)
            continue
        n_bad += 1
        print("DIFFERENT:", name)
        if isinstance(result, dict):
            for path in sorted({*result, *found[name]}):
                if result.get(path) != found[name].get(path):
                    print(" ", path)
            continue
        for part, a, b in zip(("exit", "out", "err"), result, found[name]):
            if a != b:
                print(f"  {part} at home:\n{a!r}\n  of the archive:\n{b!r}")
    sys.exit(n_bad > 0)


if __name__ == "__main__":
    main()
