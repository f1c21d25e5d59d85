# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare all profiles that the stress program wrote with its accounts.

  check_files.py --check COMMAND FOLDER

COMMAND is that of check_truth.py with its options, as one word. Prints each
difference; exit status 1 if there is one, or nothing to compare.
"""
import argparse
import os
import subprocess
import sys


def check(command, image, truth, gmon):
    """Returns what differs, or an empty string."""
    with open(truth, encoding="utf-8") as rows:
        if all(row.split()[-1] == "0" for row in rows):
            return ""  # nothing of it ever ran, so no line is listed
    if not os.path.exists(gmon):
        return f"{gmon} is missing"
    result = subprocess.run(
        [*command, image, "stress.h", truth, gmon],
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stdout + result.stderr if result.returncode else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", required=True, help="the command, one word")
    parser.add_argument("folder")
    options = parser.parse_args()
    command = options.check.split()
    n_compared = n_wrong = 0
    for name in sorted(os.listdir(options.folder)):
        stem, found, suffix = name.partition(".truth")
        if not found:
            continue
        image = "libstress.so" if suffix else "stress"
        path = os.path.join(options.folder, stem)
        difference = check(
            command,
            os.path.join(options.folder, image),
            path + ".truth" + suffix,
            path + ".gmon" + suffix,
        )
        n_compared += 1
        if difference:
            n_wrong += 1
            print(f"{name}:\n{difference}")
    print(f"{n_compared} profiles compared, {n_wrong} wrong")
    return 1 if n_wrong or not n_compared else 0


if __name__ == "__main__":
    sys.exit(main())
