# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print names in texts that the tree does not have: check_names.py ROOT

* links to files, and paths in `code`, in *.md of ROOT and docs/*.md. A path is what begins with a folder of the tree; CAPITALS stand for
  something else, and `*` is as in the shell.
"""
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


def main(root):
    os.chdir(root)
    pages = [*sorted(glob.glob("*.md")), *sorted(glob.glob("docs/*.md"))]
    n_missing = 0
    for page in pages:
        for name in missing_paths(page):
            n_missing += 1
            print(f"{page}: {name}")
    return n_missing > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
