# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print what texts name but the tree does not have: check_names.py ROOT

* links to files, and paths in `code`, in README.md, CONTRIBUTING.md, CHANGELOG.md and
  docs/*.md. A path is what begins with a folder of the tree; CAPITALS stand for
  something else, and `*` is as in the shell.
* modules that the map at the start of docs/DESIGN.md names;

and what that map leaves out: source files of the parts that it is of.
"""
import fnmatch
import glob
import os
import re
import sys


def is_there(name):
    name = re.sub(r"[A-Z]{3,}", "*", name) if name not in os.listdir() else name
    return any(glob.glob(name + end) for end in ("", ".c", ".cpp", ".h", ".S"))


def missing_paths(page):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for name in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if not os.path.exists(os.path.join(os.path.dirname(page), name)):
            yield name
    for name in re.findall(r"`(\w[\w.*-]*/[\w./*-]*)`", text):
        is_ours = os.path.isdir(name.split("/")[0]) and not name.startswith("build")
        if is_ours and not is_there(name.rstrip("/")):
            yield name


def map_of_modules(page):
    """The names of the map: by folder, or group of them, in its tables, whose rows are
    "| `folder/` | text |" or "| `modules` | text |" below a line that begins with **`part/`**;
    and by folder in all that is said of it."""
    tables, text = {}, {}
    parts = []
    with open(page, encoding="utf-8") as file:
        for line in file.read().split("\n## How")[0].splitlines():
            if line.startswith("**`"):
                parts = re.findall(r"`(\w+)/`", line)
            row = re.match(r"\| (.*?) \| (.*) \|$", line)
            folder = row and re.fullmatch(r"`(\w+)/`", row[1])
            where = [os.path.join(part, folder[1]) if folder else part for part in parts]
            if all(map(os.path.isdir, where)):
                found = re.findall(r"`([A-Za-z]\w+\*?)(?:\.[ch])?`", line)
                for one in where:
                    text.setdefault(one, set()).update(found)
                if row:
                    tables.setdefault(tuple(where), set()).update(found)
    return tables, text


def missing_modules(tables):
    """Names of the map that the tree does not have. A command's name is no module."""
    for where, names in tables.items():
        for name in sorted(names):
            places = [f"{folder}/{name}" for folder in where]
            if not any(map(is_there, places + [f"analyzer/cmd/cmd_{name}"])):
                yield f"{' '.join(where)}: {name}"


def unnamed_modules(text):
    """Files of these parts of the tree that the map does not name in their folder's place."""
    for part in ("pass", "core", "runtime", "analyzer", "mpi", "wrapper"):
        for name in sorted(glob.glob(f"{part}/**/*.*", recursive=True)):
            folder, file = os.path.split(name)
            stem, end = os.path.splitext(file)
            is_named = any(fnmatch.fnmatchcase(stem, one) for one in text.get(folder, ()))
            if end in (".c", ".cpp", ".h", ".S") and not is_named:
                yield name


def main(root):
    os.chdir(root)
    pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *sorted(glob.glob("docs/*.md"))]
    n_missing = 0
    for page in pages:
        for name in missing_paths(page):
            n_missing += 1
            print(f"{page}: {name}")
    tables, text = map_of_modules("docs/DESIGN.md")
    for name in [*missing_modules(tables), *unnamed_modules(text)]:
        n_missing += 1
        print(f"docs/DESIGN.md, {name}")
    return n_missing > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
