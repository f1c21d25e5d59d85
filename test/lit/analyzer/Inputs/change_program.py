# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Make the second one of two programs that are compared: a comment more, 3.1 % more calls of
# parse(), a function that is new and one that is gone.
#
#     change_program.py FROM TO
import sys

text = open(sys.argv[1]).read()
for old, new in (("__attribute__((noinline)) int parse", "/* A comment. */\n\\g"),
                 ("i < n; i++", "i < n + n / 32; i++"),
                 ("before", "after")):
    assert old in text, old
    text = text.replace(old, new.replace("\\g", old))
open(sys.argv[2], "w").write(text)
