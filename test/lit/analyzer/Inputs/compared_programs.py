# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Make two programs to be compared, of a smaller one: A has many lines that do not differ, so
# that pages fold them away, and a function that B lacks. B has one more comment, 3.1 % more
# calls of parse(), and a new function.
#
#     compared_programs.py PROGRAM A B
import sys

PARSE = "__attribute__((noinline)) int parse"
LINES = "".join(f"/* Line {i + 1} of many that do not differ. */\n" for i in range(24))


def replaced(text, *changes):
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


with open(sys.argv[1], encoding="utf-8") as file:
    program = file.read()
a = replaced(
    program,
    (PARSE, "__attribute__((noinline)) int before(int x) { return x - 1; }\n\n"
     f"{LINES}\n{PARSE}"),
    ("    sum += parse(i);\n", "    sum += parse(i);\n  sum += before(n);\n"))
b = replaced(
    a,
    (PARSE, f"/* A comment. */\n{PARSE}"),
    ("i < n; i++", "i < n + n / 32; i++"),
    ("before", "after"))
for name, text in zip(sys.argv[2:], (a, b)):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
