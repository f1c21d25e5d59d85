# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check the output to a terminal: steps of the work, each on the erased line of the one before,
including that of reading standard input; and an empty line at the end, or a warning, if one is
named: check_progress.py SEEN [WARNING]"""
import re
import sys

with open(sys.argv[1], "rb") as file:
    seen = file.read()
ERASE = rb"\r\033\[K"
STEPS = rb"(%barcline: [^\r\n]+)+%b" % (ERASE, ERASE)
warning = rb"arcline: warning: [^\r\n]*%b[^\r\n]*\r\n" % sys.argv[2].encode() if sys.argv[2:] else b""
assert re.fullmatch(rb"%b%b(%b)?" % (STEPS, warning, STEPS), seen), seen
assert b"arcline: reading -" in seen, seen
