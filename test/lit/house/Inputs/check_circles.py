# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print circular dependencies between source files, by their symbols: check_circles.py SOURCES
OBJECTS [FILE,FILE...]...

SOURCES, OBJECTS: folders; the object file of SOURCES/a/b.c is OBJECTS/a/b.c.o. A file needs
another one if it uses a name that this one defines. Circles that are named are expected: they
are printed if they are none, or not these files any more.
"""
import os
import subprocess
import sys


def read_names(paths):
    """Names that each object file defines, and those that it refers to. One nm reads them all: it
    may load a plugin of LLVM when it starts, for which it takes a hundred times as long."""
    names = {path: (set(), set()) for path in paths}
    text = subprocess.run(["nm", "-P", "-g", "-A", *paths], check=True, stdout=subprocess.PIPE, text=True)
    for line in text.stdout.splitlines():
        path, line = line.split(": ", 1)
        name, kind = line.split()[:2]
        names[path][kind in "Uw"].add(name)
    return names


def find_arrows(sources, objects):
    """The dependencies of each file. Objects of removed sources are left out."""
    files = {}
    for folder, _, names in os.walk(objects):
        for name in names:
            # CMake puts "__" for "..".
            path = os.path.relpath(os.path.join(folder, name), objects).replace("__/", "../")
            source = os.path.normpath(os.path.join(sources, path[: -len(".o")]))
            if name.endswith(".o") and os.path.exists(source):
                files[os.path.join(folder, name)] = os.path.splitext(path[: -len(".o")])[0]
    if not files:
        return {}
    names = {files[path]: both for path, both in read_names(list(files)).items()}
    owner = {name: file for file, (defined, _) in names.items() for name in defined}
    return {
        file: sorted({owner[name] for name in needed if name in owner} - {file})
        for file, (_, needed) in names.items()
    }


def find_circles(arrows):
    """Sets of files in which each depends on each, perhaps through others: Tarjan's components."""
    order, low, stack, circles = {}, {}, [], []

    def visit(file):
        order[file] = low[file] = len(order)
        stack.append(file)
        for other in arrows[file]:
            if other not in order:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], order[other])
        if low[file] == order[file]:
            circle = stack[stack.index(file):]
            del stack[stack.index(file):]
            if len(circle) > 1:
                circles.append(",".join(sorted(circle)))

    for file in sorted(arrows):
        if file not in order:
            visit(file)
    return circles


def main():
    sources, objects, *expected = sys.argv[1:]
    arrows = find_arrows(sources, objects)
    if not any(arrows.values()):
        sys.exit(f"{objects}: no object files that need one another")
    for circle in sorted(set(find_circles(arrows)) ^ set(expected)):
        print(circle)


main()
