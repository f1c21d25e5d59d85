#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare counts of conditions (MC/DC) in random programs with their definition, and with clang's.

    compare_decisions.py --bin FOLDER --work FOLDER [--seeds FIRST-LAST] [--clang clang-19]
                         [--levels=-O0,-O2]

made_decisions.py computes from the inputs of a program how often each condition of its decisions
was true and false, and how often it determined the outcome: `arcline annotate --conditions` has to
print the same numbers. Programs with an even seed have no ?: in decisions: there clang's
-fcoverage-mcdc has to have seen the same vectors, and the conditions for which it found a pair of
vectors are covered here, too. Exit code 1 if anything differs.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

from made_decisions import expected_counts, make_program

ROW = re.compile(r"^ .*\|     (\d+) .*true (\d+) of (\d+), false (\d+) of (\d+)(?:; missing.*)?$")
TITLE = re.compile(r"^ [^|]*\|   decision: \d+ of (\d+) conditions")
LINE = re.compile(r"^[ >][^|]* (\d+)\|")


def run(command, folder, **more):
    return subprocess.run(command, cwd=folder, check=True, text=True,
                          stdout=subprocess.PIPE, **more).stdout


def our_counts(arguments, work, source, level, inputs):
    """The decisions of each line, a list of counts by condition each."""
    is_cxx = source.endswith(".cpp")
    compiler = os.path.join(arguments.bin, "arcline-c++" if is_cxx else "arcline-cc")
    run([compiler, f"--arcline-clang={arguments.clang}", "--arcline-mcdc", "-w", level, "-g",
         source, "-o", "ours"], work)
    for name in os.listdir(work):
        if name.startswith("gmon.out"):
            os.remove(os.path.join(work, name))
    run(["./ours", *map(str, inputs)], work)
    text = run([os.path.join(arguments.bin, "arcline"), "annotate", "--conditions", "--root=/",
                "ours"], work, stderr=subprocess.DEVNULL)
    found, line = {}, 0
    for row in text.split("\n"):
        if match := ROW.match(row):
            found[line][-1].append([int(match[i]) for i in (2, 3, 4, 5)])
        elif TITLE.match(row):
            found.setdefault(line, []).append([])
        elif match := LINE.match(row):
            line = int(match[1])
    return found


def check_ours(seed, level, decisions, inputs, found):
    """Returns the number of decisions that differ from their definition."""
    n_different = 0
    for decision in decisions:
        expected = expected_counts(decision, inputs)
        if expected not in found.get(decision.line, []):
            n_different += 1
            print(f"seed {seed} {level}: line {decision.line}: {expected} expected, "
                  f"{found.get(decision.line)} found")
    return n_different


def tool(clang, name):
    """A tool of clang's LLVM: in its folder, or of its version."""
    folder, base = os.path.split(clang)
    return os.path.join(folder, base.replace("clang", name))


def has_mcdc(clang):
    """Does clang list vectors of any decision? LLVM 18 has a limit of 6 conditions."""
    version = re.search(r"version (\d+)", run([clang, "--version"], "."))
    return version is not None and int(version[1]) >= 19


def clang_decisions(arguments, work, source, inputs):
    """By line: vectors, as lists of values and None, and whether each condition is covered."""
    is_cxx = source.endswith(".cpp")
    run([arguments.clang, "--driver-mode=g++" if is_cxx else "--driver-mode=gcc", "-w", "-O0",
         "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc", source, "-o",
         "theirs"], work)
    run(["./theirs", *map(str, inputs)], work,
        env=dict(os.environ, LLVM_PROFILE_FILE="theirs.profraw"))
    run([tool(arguments.clang, "llvm-profdata"), "merge", "theirs.profraw", "-o", "theirs.profdata"], work)
    text = run([tool(arguments.clang, "llvm-cov"), "show", "-show-mcdc", "-show-branches=count", "./theirs",
                "-instr-profile=theirs.profdata"], work)
    found, places, vectors, covered = {}, None, None, None
    for row in text.split("\n"):
        if match := re.search(r"MC/DC Decision Region \((\d+):\d+\)", row):
            places, vectors, covered = [], [], []
            found.setdefault(int(match[1]), []).append((places, vectors, covered))
        elif match := re.search(r"Condition C\d+ --> \((\d+):(\d+)\)", row):
            places.append((int(match[1]), int(match[2])))
        elif match := re.match(r"\s*\|\s*\d+ \{ (.*?)\s*= ([TF])\s*\}", row):
            vectors.append([{"T": True, "F": False, "-": None}[value.strip()]
                            for value in match[1].split(",")])
        elif match := re.match(r"\s*\|\s*C\d+-Pair: (not )?covered", row):
            covered.append(not match[1])
    return {line: [in_order(*decision) for decision in decisions]
            for line, decisions in found.items()}


def in_order(places, vectors, covered):
    """A decision with the conditions in the order of the source; clang has another one."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    return ([[vector[i] for i in order] for vector in vectors], [covered[i] for i in order])


def own_vectors(decision, inputs):
    """The vectors of a program, with their outcomes."""
    leaves = len(decision.expression.leaves())
    seen = {}
    for v in inputs:
        outcome, values = decision.expression.evaluate(v)
        vector = [None] * leaves
        for number, value, _ in values:
            vector[number] = value
        seen[tuple(vector)] = outcome
    return seen


def has_pair(vectors, i):
    """Is there a pair of vectors, as clang requires it, for condition i?"""
    for a, outcome_a in vectors.items():
        for b, outcome_b in vectors.items():
            if outcome_a == outcome_b:
                continue
            different = [k for k in range(len(a))
                         if a[k] is not None and b[k] is not None and a[k] != b[k]]
            if different == [i]:
                return True
    return False


def check_clang(seed, decisions, inputs, found, totals):
    """Returns the number of decisions that contradict clang's."""
    n_different = 0
    for decision in decisions:
        vectors = own_vectors(decision, inputs)
        counts = expected_counts(decision, inputs)
        wanted = [has_pair(vectors, i) for i in range(len(counts))]
        if wanted not in [covered for _, covered in found.get(decision.line, [])]:
            n_different += 1
            print(f"seed {seed}: line {decision.line}: clang has {found.get(decision.line)}, "
                  f"not {wanted}")
            continue
        totals["decisions"] += 1
        for count, is_pair in zip(counts, wanted):
            is_covered = count[0] > 0 and count[2] > 0
            totals["conditions"] += 1
            totals["clang"] += is_pair
            totals["covered"] += is_covered
            if is_pair and not is_covered:
                n_different += 1
                print(f"seed {seed}: line {decision.line}: a pair, but not covered")
    return n_different


def check(seed, arguments, totals):
    work = os.path.join(os.path.abspath(arguments.work), str(seed))
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    source = "made.cpp" if seed % 4 > 1 else "made.c"
    has_choices = seed % 2 == 1
    text, decisions, inputs = make_program(seed, has_choices)
    with open(os.path.join(work, source), "w", encoding="utf-8") as out:
        out.write(text)
    n_different = 0
    for level in arguments.levels.split(","):
        found = our_counts(arguments, work, source, level, inputs)
        n_different += check_ours(seed, level, decisions, inputs, found)
        totals["own"] += len(decisions)
    if not has_choices and has_mcdc(arguments.clang):
        n_different += check_clang(seed, decisions, inputs,
                                   clang_decisions(arguments, work, source, inputs), totals)
    if n_different == 0:
        shutil.rmtree(work)
    return n_different


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--seeds", default="1-8")
    parser.add_argument("--levels", default="-O0,-O2")
    parser.add_argument("--clang", default="clang-19")
    arguments = parser.parse_args()
    arguments.bin = os.path.abspath(arguments.bin)
    first, last = map(int, arguments.seeds.split("-"))
    totals = dict.fromkeys(("own", "decisions", "conditions", "covered", "clang"), 0)
    n_different = sum(check(seed, arguments, totals) for seed in range(first, last + 1))
    print(f"{totals['own']} decisions compared with their definition; "
          f"{totals['decisions']} with clang: of {totals['conditions']} conditions "
          f"{totals['covered']} are covered, {totals['clang']} by a pair of clang; "
          f"{n_different} differences")
    return 1 if n_different else 0


if __name__ == "__main__":
    sys.exit(main())
