# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print what texts name but the tree does not have: check_names.py ROOT

* links to files, and paths in `code`, in README.md, CONTRIBUTING.md, CHANGELOG.md and
  docs/*.md. A path is what begins with a folder of the tree; CAPITALS stand for
  something else, and `*` is as in the shell.
* modules that the tables of docs/DESIGN.md name in the row of a folder.
"""
import glob
import os
import re
import sys


def is_there(name):
    name = re.sub(r"[A-Z]{3,}", "*", name) if name not in os.listdir() else name
    return any(glob.glob(name + end) for end in ("", ".c", ".cpp", ".h"))


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


def missing_modules(page):
    """Rows of "| `folder/` | text |" or "| `modules` | text |" below a heading
    **`part/`**, which may be several. A command's name is no module."""
    parts = []
    with open(page, encoding="utf-8") as file:
        for line in file.read().split("\n## How")[0].splitlines():
            if line.startswith("**`"):
                parts = re.findall(r"`(\w+)/`", line.split("**")[1])
            row = re.match(r"\| (.*?) \| (.*) \|$", line)
            if not row:
                continue
            folder = re.fullmatch(r"`(\w+)/`", row[1])
            where = [os.path.join(part, folder[1]) if folder else part for part in parts]
            if not all(map(os.path.isdir, where)):
                continue
            for name in re.findall(r"`([a-z]\w+\*?)`", row[2] if folder else row[1]):
                places = [f"{folder}/{name}" for folder in where]
                if not any(map(is_there, places + [f"analyzer/cmd/cmd_{name}"])):
                    yield f"{' '.join(where)}: {name}"


def main(root):
    os.chdir(root)
    pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *sorted(glob.glob("docs/*.md"))]
    n_missing = 0
    for page in pages:
        for name in missing_paths(page):
            n_missing += 1
            print(f"{page}: {name}")
    for name in missing_modules("docs/DESIGN.md"):
        n_missing += 1
        print(f"docs/DESIGN.md, {name}")
    return n_missing > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
