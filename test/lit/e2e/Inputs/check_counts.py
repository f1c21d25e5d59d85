# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare an annotated listing with the counts that its source expects.

  check_counts.py SOURCE ANNOTATED [LABEL]

A source line with the comment "// LABEL: N" was executed N times; one with
"// LABEL: none" has no count. LABEL is "count" if not given; a line may have
comments of several. Exits 1 with every difference named.
"""

import sys

from compare_gcov import annotated_lines


def main():
    source, annotated = sys.argv[1:3]
    mark = f"// {(sys.argv[3:] + ['count'])[0]}: "
    counts = annotated_lines(annotated)
    n_checked = n_wrong = 0
    with open(source, encoding="utf-8") as text:
        for line, row in enumerate(text, 1):
            if mark not in row or "RUN" in row:
                continue
            expected = row.split(mark)[1].split("//")[0].strip()
            found = str(counts.get(line, "none"))
            n_checked += 1
            if found != expected:
                print(f"{source}:{line}: {found}, not {expected}")
                n_wrong += 1
    print(f"{n_checked} lines checked, {n_wrong} differences")
    sys.exit(1 if n_wrong or not n_checked else 0)


main()
