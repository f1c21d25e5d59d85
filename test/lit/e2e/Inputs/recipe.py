# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print an example of a manual page: recipe.py PAGE HEADING, the lines of the block .EX that follows
the line HEADING."""
import re
import sys

page, heading = sys.argv[1:]
lines = open(page, encoding="utf-8").read().splitlines()
first = lines.index(".EX", lines.index(heading))
for line in lines[first + 1:lines.index(".EE", first)]:
    print(re.sub(r"\\f.", "", line).replace("\\-", "-").replace("\\(aq", "'").replace("\\&", ""))
