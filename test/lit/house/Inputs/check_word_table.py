#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the table of words in CONTRIBUTING.md with the patterns of .textlintrc.json.

  check_word_table.py CONTRIBUTING.md .textlintrc.json

Prints examples of the last column that no pattern finds, examples of the others that one finds, and
patterns that no example has.
"""
import json
import pathlib
import re
import sys


def pattern_of(term):
    """As textlint-rule-terminology uses it."""
    if "(?=" in term or "(?!" in term or term.startswith("(?<"):
        return re.compile(term, re.IGNORECASE)
    return re.compile(rf"(?<![-\w.])\b{term}\b(?=[ .,;:!?'\")]|$)", re.IGNORECASE)


def rows_of(page):
    """Cells of the first table below "### Words"."""
    table = re.search(r"^### Words$.*?^\|---.*?\n(.*?)\n\n", page, re.M | re.S)[1]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.split("\n")]


def main():
    page, config = (pathlib.Path(name).read_text(encoding="utf-8") for name in sys.argv[1:])
    terms = [term for term, _ in json.loads(config)["rules"]["terminology"]["terms"]]
    missing = set(terms)
    for write, example, instead in rows_of(page):
        for text in re.findall("`([^`]+)`", instead):
            found = [term for term in terms if pattern_of(term).search(text)]
            missing.difference_update(found)
            if not found:
                print(f"no pattern finds: {text}")
        for text in (write, example):
            for term in terms:
                if pattern_of(term).search(text):
                    print(f"{term} is in: {text}")
    for term in sorted(missing):
        print(f"no example has: {term}")


main()
