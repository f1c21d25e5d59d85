# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check what a terminal saw: steps of the work, each on the erased line of the one
before, that of reading standard input among them; and nothing in the end."""
import re
import sys

with open(sys.argv[1], "rb") as file:
    seen = file.read()
ERASE = rb"\r\033\[K"
assert re.fullmatch(rb"(%barcline: [^\r\n]+)+%b" % (ERASE, ERASE), seen), seen
assert b"arcline: reading -" in seen, seen
