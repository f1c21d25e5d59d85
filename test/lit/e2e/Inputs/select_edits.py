# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edit a project at random and check arcline select: select_edits.py ARCLINE_CC ARCLINE [N [SEED]].

After each edit, the program is built plainly and all tests run. A test whose output differs from that
before the edit has to be selected. So has each test that ran the edited function, by the counts of a
run of its own, if the edit is in one function. Prints how many edits were traced to functions.
"""
import os
import random
import re
import subprocess
import sys

arcline_cc, arcline = sys.argv[1:3]
n_edits = int(sys.argv[3]) if len(sys.argv) > 3 else 60
chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)

HEADER = """#define STEP 3
#define MIX(x) ((x) * 5 + \\
                STEP)
enum { LIMIT = 9 };
struct pair {
  int a, b;
};
static inline int clamp(int x) {
  if (x > LIMIT)
    return x % LIMIT; /* wraps */
  return x;
}
int leaf0(int x);
int table(int x);
"""
FUNCTIONS = 10


def source_files():
    files = {"p.h": HEADER}
    text = '#include "p.h"\n\nstatic const int numbers[] = {\n  2, 3, 5,\n  7,\n};\n\n'
    text += "int table(int x) {\n  // of primes\n  return numbers[(unsigned)x % 5];\n}\n\n"
    for i in range(FUNCTIONS):
        call = (f"leaf{i - 3}(x + {i})" if i > 2 else f"clamp(x + {i})")
        text += (f"/* Function {i}.\n   It has a comment. */\n__attribute__((noinline)) int leaf{i}(int x)\n{{\n"
                 f"  struct pair p = {{x, {i}}};\n"
                 f"  if (x % 2 == {i % 2}) {{\n    p.b += MIX({i});\n  }} else {{\n"
                 f"    p.a -= {i + 1};\n  }}\n"
                 f"  return p.a * 7 + p.b + {call};\n}}\n\n")
    text += "int one(int x) { return x * 11 + 1; } // on one line\nint two(int x) { return table(x); }\n"
    files["p.c"] = text
    main = '#include "p.h"\n#include <stdio.h>\n#include <stdlib.h>\n\nint one(int x);\nint two(int x);\n'
    main += "".join(f"int leaf{i}(int x);\n" for i in range(1, FUNCTIONS))
    main += "\nint main(int argc, char **argv) {\n  int i = argc > 1 ? atoi(argv[1]) : 0, sum = 0;\n  switch (i) {\n"
    for i in range(FUNCTIONS):
        main += f"  case {i}:\n    sum = leaf{i}({i + 20});\n    break;\n"
    main += "  case 10:\n    sum = one(4);\n    break;\n  default:\n    sum = two(i);\n  }\n"
    main += '  printf("%d\\n", sum);\n  return 0;\n}\n'
    files["main.c"] = main
    return files


TESTS = [str(i) for i in range(FUNCTIONS + 3)]


def write(files, folder="."):
    for name in os.listdir(folder):
        if name.endswith((".c", ".h")):
            os.remove(os.path.join(folder, name))
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def outputs(program):
    return {test: subprocess.run([program, test], capture_output=True, check=False).stdout for test in TESTS}


def number(match):
    return str(int(match.group(0)) + chance.randint(1, 3))


def edit(files):
    """One random edit; returns its kind, or None if it did nothing."""
    name = chance.choice(["p.c", "p.c", "p.c", "p.h", "main.c"])
    lines = files[name].split("\n")
    i = chance.randrange(len(lines) - 1)
    kind = chance.choice(["number", "number", "number", "number", "delete", "insert", "comment", "blank", "declare",
                          "unfinished comment", "no branch", "two", "new file", "swap", "string"])
    if kind in ("number", "two"):
        lines[i] = re.sub(r"\b\d+\b", number, lines[i], count=1)
        if kind == "two":
            k = chance.randrange(len(lines) - 1)
            lines[k] = re.sub(r"\b\d+\b", number, lines[k], count=1)
    elif kind == "delete":
        del lines[i]
    elif kind == "insert":
        lines.insert(i, "  x += 2;")
    elif kind == "comment":
        lines[i] += " // edited"
    elif kind == "blank":
        lines.insert(i, "")
    elif kind == "declare":
        lines.insert(i, f"static int added{i}(void) {{ return {i}; }}")
    elif kind == "unfinished comment":
        lines[i] = "/*" + lines[i]
        lines.insert(min(i + chance.randint(1, 12), len(lines)), "*/")
    elif kind == "no branch":
        lines.insert(i, "#if 0")
        lines.insert(min(i + chance.randint(2, 14), len(lines)), "#endif")
    elif kind == "swap":
        k = chance.randrange(len(lines) - 1)
        lines[i], lines[k] = lines[k], lines[i]
    elif kind == "string":
        lines[i] = lines[i].replace("+", "-", 1)
    elif kind == "new file":
        files["new.h"] = "#define LIMIT 4\n"
        lines.insert(0, '#include "new.h"')
    files[name] = "\n".join(lines)
    return kind


def call(*command, **options):
    return subprocess.run(command, check=True, **options)


def compile_plain():
    return subprocess.run(["cc", "-w", "p.c", "main.c", "-o", "plain"], capture_output=True, check=False).returncode


def main():
    files = source_files()
    call("git", "init", "-q", "-b", "main", ".")
    write(files)
    with open(".gitignore", "w", encoding="utf-8") as file:
        file.write("prog\nplain\nsuite\n")
    call("git", "add", ".")
    call("git", "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "base")
    for name in files:
        os.utime(name, (1, 1))
    call(arcline_cc, "-O2", "-g", f"--arcline-suite={os.getcwd()}/suite", "p.c", "main.c", "-o", "prog")
    for test in TESTS:
        call("./prog", test, env={**os.environ, "ARCLINE_CONTEXT": test}, stdout=subprocess.DEVNULL)
    call(arcline, "tests", "suite", stdout=subprocess.DEVNULL)
    compile_plain()
    before = outputs("./plain")
    n_traced = n_built = n_different = 0
    while n_built < n_edits:
        edited = dict(files)
        kinds = [edit(edited) for _ in range(chance.choice([1, 1, 1, 2]))]
        if edited == files:
            continue
        write(edited)
        if compile_plain():
            continue
        n_built += 1
        done = subprocess.run([arcline, "select", "--changed=HEAD", "suite"], capture_output=True, text=True, check=False)
        selected = set(done.stdout.split())
        after = outputs("./plain")
        different = {test for test in TESTS if before[test] != after[test]}
        n_different += bool(different)
        n_traced += done.returncode == 0 and "comment" not in kinds and "blank" not in kinds
        if done.returncode not in (0, 1) or different - selected:
            call("git", "diff")
            sys.exit(f"{kinds}: not selected: {sorted(different - selected)}; {done.stderr}")
        if done.returncode == 1 and selected != set(TESTS):
            sys.exit(f"{kinds}: changes are unknown, but not all tests are selected; {done.stderr}")
    print(f"edits {n_built}, {n_different} of them with other output, {n_traced} traced")
    # The test itself has to be able to fail.
    if n_different < n_edits // 4 or n_traced < n_edits // 8:
        sys.exit("too few edits change anything, or are traced")


main()
