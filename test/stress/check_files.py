# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare all profiles that the stress program wrote with its accounts.

  check_files.py FOLDER OPTION...

The options are those of check_truth.py. Prints each difference; exit status 1
if there is one, or nothing to compare.
"""
import os
import sys

sys.path.insert(
    0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lit/e2e/Inputs")
)
import check_truth  # noqa: E402


def is_empty(truth):
    with open(truth, encoding="utf-8") as rows:
        return all(row.split()[-1] == "0" for row in rows)


def check(options, image, truth, gmon):
    """Returns differences, as texts."""
    if is_empty(truth):
        return []  # nothing of it ever ran, so no line is listed
    if not os.path.exists(gmon):
        return [f"{gmon} is missing"]
    return check_truth.check([*options, image, "stress.h", truth, gmon])[0]


def main():
    folder, *options = sys.argv[1:]
    n_compared = n_wrong = 0
    for name in sorted(os.listdir(folder)):
        stem, found, suffix = name.partition(".truth")
        if not found:
            continue
        image = "libstress.so" if suffix else "stress"
        path = os.path.join(folder, stem)
        differences = check(
            options,
            os.path.join(folder, image),
            path + ".truth" + suffix,
            path + ".gmon" + suffix,
        )
        n_compared += 1
        if differences:
            n_wrong += 1
            print(name, *differences, sep="\n  ")
    print(f"{n_compared} profiles compared, {n_wrong} wrong")
    return 1 if n_wrong or not n_compared else 0


if __name__ == "__main__":
    sys.exit(main())
