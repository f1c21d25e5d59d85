# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes loops in usual forms, and compares their code.

    loop_shapes.py source
        Print a C program: a function for each way to traverse an array (pointers
        compared by < or !=, do ... while, indices of each type, up and down), for
        each operation, and for two types of elements. main() calls each with
        several lengths, including 0 and, if the loop allows it, with a start
        after its end.
    loop_shapes.py compare PLAIN.ll COUNTED.ll
        Compare the plain build of it with the counted one. A loop that is a call
        of memset or memcpy in the plain build, or vectorised, must be the same in
        the counted one, and no vector may contain counts.
"""
import re
import sys

# name: (variables, head, step of p, step of q, element of p, of q, after the body, may
# start after its end)
FORMS = {
    "less": ("T *e = p + n;", "while (p < e)", "p++", "q++", "*p", "*q", "", True),
    "other": ("T *e = p + n;", "while (p != e)", "p++", "q++", "*p", "*q", "", False),
    "bytes": (
        "T *e = (T *)((char *)p + n);",
        "while (p < e)", "p++", "q++", "*p", "*q", "", True,
    ),
    "do": ("T *e = p + n;", "do", "p++", "q++", "*p", "*q", "while (p < e);", True),
    "back": ("T *e = p; p += n; q += n;", "while (p > e)", "", "", "*--p", "*--q", "", True),
    "count": ("", "while (n--)", "p++", "q++", "*p", "*q", "", False),
    "down": ("int m = (int)n;", "for (; m > 0; m--)", "p++", "q++", "*p", "*q", "", True),
    "int": ("int m = (int)n;", "for (int i = 0; i < m; i++)", "", "", "p[i]", "q[i]", "", True),
    "upto": (
        "int m = (int)n;",
        "for (int i = 1; i <= m; i++)", "", "", "p[i - 1]", "q[i - 1]", "", True,
    ),
    "unsigned": (
        "unsigned m = (unsigned)n;",
        "for (unsigned i = 0; i < m; i++)", "", "", "p[i]", "q[i]", "", False,
    ),
    "unsigned_upto": (
        "unsigned m = (unsigned)n;",
        "for (unsigned i = 1; i <= m; i++)", "", "", "p[i - 1]", "q[i - 1]", "", False,
    ),
    "size": ("", "for (size_t i = 0; i < (size_t)n; i++)", "", "", "p[i]", "q[i]", "", False),
    "long": ("long m = (long)n;", "for (long i = 0; i < m; i++)", "", "", "p[i]", "q[i]", "", True),
    "two": ("int m = (int)n;", "for (int i = 0; i < m; i += 2)", "", "", "p[i]", "q[i]", "", True),
}
WORK = {
    "clear": "{p} = 0;",
    "fill": "{p} = c;",
    "copy": "{p} = {q};",
    "add": "{p} += {q};",
    "sum": "r += {p};",
}
TYPES = {"byte": "char", "word": "long"}

PROLOGUE = """#include <stddef.h>
static union {
  char bytes[4096];
  long words[512];
} x, y;
"""


def print_source():
    calls = []
    print(PROLOGUE)
    for form, (variables, head, step_p, step_q, p, q, behind, may_be_behind) in FORMS.items():
        for work, statement in WORK.items():
            for kind, element in TYPES.items():
                name = f"{form}_{work}_{kind}"
                steps = [step_p] + ([step_q] if "{q}" in statement else [])
                print(
                    f"__attribute__((noinline)) {element} {name}({element} *restrict p,",
                    f"    const {element} *restrict q, ptrdiff_t n, {element} c) {{",
                    f"  {element} r = 0;",
                    "  (void)q, (void)c;",
                    "  " + variables.replace("T *", element + " *"),
                    f"  {head} {{",
                    "    " + statement.format(p=p, q=q),
                    *(f"    {step};" for step in steps if step),
                    f"  }} {behind}",
                    "  return r;",
                    "}",
                    sep="\n",
                )
                lengths = [0, 8, 16, 64, 240] + ([-16] if may_be_behind else [])
                calls += [
                    f"  r += {name}(x.{kind}s + 32, y.{kind}s + 32, {n}, 3);"
                    for n in lengths
                ]
    print("int main(void) {\n  long r = 0;", *calls, "  return r == 1;\n}", sep="\n")


def functions_of(path):
    with open(path, encoding="utf-8") as text:
        return {
            match[1]: match[0]
            for match in re.finditer(
                r"^define [^@]*@(\w+)\(.*?^\}", text.read(), re.M | re.S
            )
        }


def marks_of(text):
    marks = set()
    if re.search(r"call void @llvm\.mem(set|cpy|move)", text):
        marks.add("a call of memset, memcpy or memmove")
    if re.search(r"(load|store|add|phi) [a-z ]*<(vscale x )?\d+ x", text):
        marks.add("vectorised")
    return marks


def compare(plain_path, counted_path):
    plain, counted = functions_of(plain_path), functions_of(counted_path)
    wrong, n_marks = [], 0
    for name, text in plain.items():
        for mark in marks_of(text):
            n_marks += 1
            if mark not in marks_of(counted[name]):
                wrong.append(f"{name}: {mark} in the plain build only")
        counts = r"add <(vscale x )?\d+ x i64> %[\w.]+, (<i64 1|splat \(i64 1\))"
        if re.search(counts, counted[name]) and not re.search(counts, text):
            wrong.append(f"{name}: counts in a vector")
    if n_marks < len(plain) / 2:
        wrong.append(f"only {n_marks} of {len(plain)} functions tell anything")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    if sys.argv[1] == "source":
        print_source()
    else:
        sys.exit(compare(*sys.argv[2:]))
