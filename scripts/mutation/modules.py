# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the modules, and the tests of each."""
import glob
import os
import random
import re

PARTS = ("analyzer", "core", "runtime")


def folders(root):
    return sorted(os.path.relpath(path, root) for part in PARTS
                  for path in glob.glob(os.path.join(root, part, "*", "")))


def modules_in(root, folder):
    return sorted(os.path.relpath(path, root)
                  for path in glob.glob(os.path.join(root, folder, "*.c")))


def unit_tests(root):
    """The text of each unit test, by name."""
    found = {}
    for path in sorted(glob.glob(os.path.join(root, "test", "unit", "test_*.c"))):
        with open(path, encoding="utf-8") as file:
            found[os.path.basename(path)[:-2]] = file.read()
    return found


def listed(module, topics):
    return topics.get(module) or topics.get(os.path.dirname(module)) or []


def tests_of(module, tests, topics):
    """The unit tests with the name of the module, those that include its header, and those that are
    listed for it."""
    folder, name = os.path.split(module[:-2])
    folder = os.path.basename(folder)
    own = [f"test_{name}", f"test_rt_{name}", f"test_{folder}_{name}"]
    include = re.compile(rf'^#include "{folder}/{name}\.h"', re.MULTILINE)
    if module.startswith("runtime/"):
        own.remove(f"test_{name}")
    else:
        own.remove(f"test_rt_{name}")
    # Modules of two folders may have one name.
    other = re.compile(rf'^#include "(?!{folder}/)\w+/{name}\.h"', re.MULTILINE)
    own = [test for test in own if not other.search(tests.get(test, ""))]
    own += [f"test_{name[5:]}" for name in listed(module, topics) if name.startswith("unit/")]
    # One that has the module in itself is not linked with it.
    inside = f'#include "{folder}/{name}.c"'
    return [test for test, text in tests.items()
            if (test in own or include.search(text)) and inside not in text]


def choose(root, tests, seed):
    """A module of each folder, of those that have a unit test of their own;
    (module or None, folder)."""
    for folder in folders(root):
        tested = [module for module in modules_in(root, folder) if tests_of(module, tests, {})]
        yield random.Random(f"{seed}:{folder}").choice(tested) if tested else None, folder


def read_topics(path):
    """Further tests by folder or module: lines "analyzer/diff: analyzer/diff e2e/diff", where
    lit tests are a folder and the first words of their names, and unit/x is test_x."""
    topics = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                place, _, names = line.partition(":")
                topics[place.strip()] = names.split()
    return topics


def lit_tests_of(module, topics, root):
    return sorted(os.path.relpath(path, os.path.join(root, "test", "lit"))
                  for name in listed(module, topics)
                  for end in ("-*.*", ".*")
                  for path in glob.glob(os.path.join(root, "test", "lit", name + end)))
