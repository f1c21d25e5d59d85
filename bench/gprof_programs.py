# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the programs of bench/gprof, whose profiles both profilers read.

Each has a folder, in which its recipe makes `program` and `gmon.out`. To add
one, write a recipe and an entry of PROGRAMS.
"""
import dataclasses
import glob
import os
import subprocess
from typing import Callable

import builder
import elf
import gprof_profile
import programs as all_programs
import variants as all_variants

BENCH = all_programs.BENCH
GRAPH = ("-b",)
LINES = ("-b", "-l")
SOURCE = ("-b", "-l", "-A")
SUM = ("-b", "-s")


class BuildError(Exception):
    """One sentence for the user."""


@dataclasses.dataclass(frozen=True)
class Context:
    """Input of recipes."""
    out: str  # folder of downloads
    compilers: dict
    is_quick: bool  # a tenth of the size

    def scaled(self, n):
        return max(n // 10, 10) if self.is_quick else n


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    title: str
    modes: tuple  # sets of options that are measured
    recipe: Callable  # (context, folder): makes program and gmon.out
    options: Callable = lambda folder: ()  # more options, after those
    folder: str = ""  # of another entry, that shares its program
    needs_stack: bool = False  # GNU gprof does, all of it
    is_start: bool = False  # little work: it shows the time of start-up


def run(command, folder, environment=None):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True,
                          errors="replace", env=environment, check=False)
    if done.returncode != 0:
        raise BuildError(f"{command[0]} failed in {folder}:\n"
                         f"{done.stderr[-2000:]}")
    return done.stdout


# --- Existing programs ---


def build_known(context, name):
    """A program of the other benchmarks, built by gcc -pg. Returns it and its
    path."""
    program = next(p for p in all_programs.PROGRAMS if p.name == name)
    variant = next(v for v in all_variants.VARIANTS if v.name == "gcc-pg")
    builder.build_all([program], [variant], context.compilers, context.out,
                      0 if context.is_quick else 1, 1)
    folder = builder.folder_of(context.out, program, variant)
    return program, os.path.join(folder, "program")


def run_known(context, folder, name):
    program, path = build_known(context, name)
    factor = 0 if context.is_quick else 1
    run(["cp", path, "program"], folder)
    run(["./program", *program.arguments(context.out, factor)], folder,
        builder.clean_environment())


def make_assembler(context, folder):
    run_known(context, folder, "gnu-as")


def make_templates(context, folder):
    builder.fetch([next(p for p in all_programs.PROGRAMS
                        if p.name == "json")], context.out)
    run([context.compilers["gcc"].cxx, "-pg", "-g", "-O1", "-w",
         "-I" + os.path.join(context.out, "json"),
         os.path.join(BENCH, "workloads", "json_workload.cc"), "-o", "program"], folder)
    run(["./program", "1" if context.is_quick else "20"], folder,
        builder.clean_environment())


def make_copies(context, folder):
    """Copies of SQLite, whose functions have other names in each."""
    program, _ = build_known(context, "sqlite")
    source = os.path.join(context.out, "sqlite3", "sqlite3.c")
    run([context.compilers["gcc"].cc, "-pg", "-g", "-O2", "-w", "-c",
         *program.compile_options(context.out), source, "-o", "part.o"], folder)
    names = [line.split()[2] for line in
             run(["nm", "-g", "--defined-only", "part.o"], folder).splitlines()]
    parts = []
    for i in range(2 if context.is_quick else 14):
        parts.append(f"part{i}.o")
        with open(os.path.join(folder, "names"), "w", encoding="ascii") as out:
            out.writelines(f"{name} {name}_{i}\n" for name in names)
        run(["objcopy", "--redefine-syms=names", "part.o", parts[-1]], folder)
    write_text(folder, "main.c", "int main(void) { return 0; }\n")
    run([context.compilers["gcc"].cc, "-pg", "-g", "main.c", *parts, "-o",
         "program", *program.libraries], folder)
    run(["rm", "part.o", *parts], folder)
    gprof_profile.write_random(os.path.join(folder, "gmon.out"),
                               os.path.join(folder, "program"), 2000, 8000)


def make_llvm(context, folder):
    """LLVM's own libraries in one program, without debug information. It is not run, so that the
    libraries that they need may be missing."""
    clang = os.path.realpath(context.compilers["clang"].cc)
    libraries = os.path.join(os.path.dirname(os.path.dirname(clang)), "lib")
    archives = sorted(glob.glob(os.path.join(
        libraries, "libLLVMS*.a" if context.is_quick else "libLLVM*.a")))
    if not archives:
        raise BuildError(f"no libLLVM*.a in {libraries}: install llvm-dev")
    write_text(folder, "main.c", "int main(void) { return 0; }\n")
    run([context.compilers["gcc"].cc, "main.c", "-no-pie",
         "-Wl,--unresolved-symbols=ignore-all", "-Wl,--whole-archive",
         *archives, "-Wl,--no-whole-archive", "-o", "program"], folder)
    gprof_profile.write_random(os.path.join(folder, "gmon.out"),
                               os.path.join(folder, "program"), 3000, 20000)


# --- Generated programs ---


def write_text(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="ascii") as out:
        out.write(text)


FUNCTION = """
{kind}int function_{i}(int x) {{
  int sum = x + {i};
  for (int k = 0; k < (x & 7); k++)
    sum += k * {i} ^ (sum >> 3);
  if (sum == {i} + 77) {{
    report({i}, sum);
    sum -= x * 5;
  }}
  table[(unsigned)sum % 64] += x;
  while (sum > 100000)
    sum = sum / 3 - table[sum & 31];
  switch (x & 3) {{
  case 0: sum += table[1]; break;
  case 1: sum -= table[2] * 3; break;
  case 2: sum ^= table[3] << 2; break;
  }}
  return sum;
}}
"""


def unit_text(first, n_functions, is_static):
    head = ("__attribute__((cold, noreturn)) void fail(int, int);\n"
            "static int table[64];\n"
            "#define report(a, b) do { if (table[a % 64] == b) fail(a, b); } "
            "while (0)\n")
    kind = "static __attribute__((noinline)) " if is_static else ""
    body = "".join(FUNCTION.format(i=i, kind=kind)
                   for i in range(first, first + n_functions))
    calls = "".join(f"  x += function_{i}(x);\n"
                    for i in range(first, first + n_functions))
    return f"{head}{body}\nint run_{first}(int x) {{\n{calls}  return x;\n}}\n"


def make_units(context, folder, n_functions, n_units, level, is_static):
    """A program of so many functions in so many units. It does run."""
    gcc = [context.compilers["gcc"].cc, "-pg", "-g", level]
    each = n_functions // n_units
    objects = []
    for i in range(n_units):
        name = f"unit{i}"
        write_text(folder, name + ".c", unit_text(i * each, each, is_static))
        run([*gcc, "-c", name + ".c"], folder)
        objects.append(name + ".o")
    starts = range(0, each * n_units, each)
    declarations = "".join(f"int run_{first}(int x);\n" for first in starts)
    calls = "".join(f"    x += run_{first}(x + k);\n" for first in starts)
    write_text(folder, "main.c",
               "#include <stdio.h>\n#include <stdlib.h>\n" + declarations +
               "__attribute__((cold, noreturn)) void fail(int a, int b) {\n"
               '  printf("%d %d\\n", a, b);\n  exit(1);\n}\n'
               "int main(void) {\n  int x = 0;\n"
               f"  for (int k = 0; k < 20; k++) {{\n{calls}  }}\n"
               "  return x == 12345;\n}\n")
    run([*gcc, "main.c", *objects, "-o", "program"], folder)
    gprof_profile.write_random(os.path.join(folder, "gmon.out"),
                               os.path.join(folder, "program"),
                               n_functions // 8, n_functions)


def make_many(context, folder):
    make_units(context, folder, context.scaled(24000), 6, "-O1", False)


def make_cold(context, folder):
    make_units(context, folder, context.scaled(4000), 1, "-O2", True)


def spec_options(folder):
    """4,000 -k options, a hundredth of which name arcs of the profile."""
    names = [name for _, name in gprof_profile.functions_of(
        os.path.join(folder, "program")) if name.startswith("function_")]
    options = []
    for i in range(4000):
        options += ["-k", f"{names[i * 7 % len(names)]}/"
                          f"{names[i * 11 % len(names)]}"]
    return options


def make_assembly(context, folder, lines):
    """A program of nothing but .text and symbols."""
    write_text(folder, "program.s", ".text\n" + "".join(lines))
    run([context.compilers["gcc"].cc, "-nostdlib", "-static", "-no-pie",
         "-Wl,-e,main", "program.s", "-o", "program"], folder)
    os.remove(os.path.join(folder, "program.s"))


def function_text(name, body):
    return f".globl {name}\n.type {name}, @function\n{name}:\n{body}"


def addresses_of(folder):
    return {name: vaddr for vaddr, name in gprof_profile.functions_of(
        os.path.join(folder, "program"))}


def make_fan_out(context, folder):
    """One function that calls each of the others from one place."""
    n_children = context.scaled(24000)
    calls = "".join(f"call function_{i}\n" for i in range(n_children))
    make_assembly(context, folder, [
        function_text("main", calls + "ret\n"),
        *(function_text(f"function_{i}", "nop\n.p2align 3\nret\n")
          for i in range(n_children))])
    vaddrs = addresses_of(folder)
    children = [vaddrs[f"function_{i}"] for i in range(n_children)]
    gprof_profile.write(
        os.path.join(folder, "gmon.out"), os.path.join(folder, "program"),
        {vaddr: i % 50 for i, vaddr in enumerate(children)},
        [(vaddrs["main"] + 5 * i + 4, vaddr, i + 1)
         for i, vaddr in enumerate(children)])


def make_chain(context, folder):
    """Each function calls the next one."""
    n_links = context.scaled(1000000)
    make_assembly(context, folder, [
        *(function_text("main" if i == 0 else f"function_{i}",
                        f"call function_{i + 1}\nret\n.p2align 3\n")
          for i in range(n_links)),
        function_text(f"function_{n_links}", "ret\n")])
    vaddrs = [vaddr for vaddr, _ in gprof_profile.functions_of(
        os.path.join(folder, "program"))]
    gprof_profile.write(
        os.path.join(folder, "gmon.out"), os.path.join(folder, "program"),
        {vaddr: i % 3 for i, vaddr in enumerate(vaddrs)},
        [(vaddr + 4, vaddrs[i + 1], 1) for i, vaddr in enumerate(vaddrs[:-1])])


def make_small(context, folder):
    run([context.compilers["gcc"].cc, "-pg", "-g", "-O2",
         os.path.join(BENCH, "kernels", "interpreter.c"), "-o", "program"],
        folder)
    run(["./program", "1"], folder, builder.clean_environment())


PROGRAMS = [
    Program("as", "GNU as, 1 MB of text, after a run", (GRAPH, LINES, SOURCE,
                                                        SUM), make_assembler),
    Program("many", "24,000 functions in 6 units", (GRAPH, LINES), make_many),
    Program("cold", "4,000 functions in one unit, with .cold parts",
            (GRAPH, LINES), make_cold),
    Program("fan-out", "24,000 functions called by one", (GRAPH,),
            make_fan_out),
    Program("chain", "1,000,001 functions, each called by the one before",
            (GRAPH,), make_chain, needs_stack=True),
    Program("specs", "24,000 functions and 4,000 options -k", (GRAPH,),
            make_many, spec_options, folder="many"),
    Program("templates", "C++: nlohmann's JSON library, after a run",
            (GRAPH, LINES), make_templates),
    Program("copies", "SQLite 14 times, with debug information",
            (GRAPH, LINES, SOURCE, SUM), make_copies),
    Program("llvm", "all libraries of LLVM, no debug information", (GRAPH,),
            make_llvm),
    Program("small", "a program of one file", (GRAPH, LINES), make_small,
            is_start=True),
]


def prepare(program, context, folder):
    """Make missing files in the folder."""
    if os.path.exists(os.path.join(folder, "done")):
        return
    os.makedirs(folder, exist_ok=True)
    try:
        program.recipe(context, folder)
    except (elf.ElfError, builder.BuildError) as error:
        raise BuildError(f"{program.name}: {error}") from error
    write_text(folder, "done", "")
