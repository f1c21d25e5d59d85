# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the C sources of a program with many functions.

The functions are typical ones: conditions, loops, a switch, calls of short local functions, and
calls of others that are not made. The program is called as program PERCENT THREADS: each thread
runs the given part of all functions, spread evenly over the program, and stays alive until all
have.
"""
import os
import random

FUNCTIONS_PER_FILE = 500
HEADER = "#include <stdint.h>\n"

MAIN = """\
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_THREADS = 256, N_ROUNDS = 6 };

%(declarations)s

typedef uint32_t run_function(uint32_t, uint32_t);
static run_function *const parts[] = {%(parts)s};
static unsigned percent;
static pthread_barrier_t all_done;

static void *run(void *unused) {
  uintptr_t sum = 0;

  (void)unused;
  for (uint32_t round = 0; round < N_ROUNDS; round++)
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      sum += parts[i](round * 2654435761u, percent);
  pthread_barrier_wait(&all_done);
  return (void *)sum;
}

int main(int argc, char **argv) {
  const int n_threads = argc > 2 ? atoi(argv[2]) : 1;
  pthread_t threads[MAX_THREADS];
  uintptr_t sum = 0;

  percent = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
  if (n_threads < 1 || n_threads > MAX_THREADS)
    return 2;
  pthread_barrier_init(&all_done, NULL, (unsigned)n_threads);
  for (int i = 1; i < n_threads; i++)
    if (pthread_create(&threads[i], NULL, run, NULL))
      return 1;
  sum = (uintptr_t)run(NULL);
  for (int i = 1; i < n_threads; i++) {
    void *one;
    pthread_join(threads[i], &one);
    sum += (uintptr_t)one;
  }
  printf("%%llu\\n", (unsigned long long)sum);
  return 0;
}
"""


def statement_of(rng, file, i_function, n_functions):
    kind = rng.random()
    bit = 1 << rng.randrange(8)
    number = rng.randrange(1, 1 << 16)
    if kind < 0.45:
        return (f"  if (x & {bit}) {{\n    sum += {number};\n"
                f"  }} else {{\n    sum ^= x;\n  }}\n  x = x * 5 + {number};\n")
    if kind < 0.6:
        return (f"  if (sum & {bit} && x & {bit << 1})\n"
                f"    sum -= {number} ^ x;\n")
    if kind < 0.7:
        return (f"  for (uint32_t i = x & 3; i < 4; i++)\n"
                f"    sum = sum * 31 + (i ^ {number});\n")
    if kind < 0.76:
        cases = "".join(f"  case {i}:\n    sum += x >> {i};\n    break;\n"
                        for i in range(4))
        return (f"  switch ((x >> {rng.randrange(6)}) % 5) {{\n{cases}"
                f"  default:\n    sum ^= {number};\n  }}\n")
    if kind < 0.9:
        return f"  sum += local_{file}_{rng.randrange(8)}(x + {number});\n"
    other = rng.randrange(n_functions)
    return (f"  if (sum == {number}u * {i_function + 7}u)\n"
            f"    sum += function_{other}(x);\n")


def write_if_changed(path, text):
    """An unchanged file is not compiled again."""
    if os.path.exists(path):
        with open(path, encoding="ascii") as old:
            if old.read() == text:
                return
    with open(path, "w", encoding="ascii") as new:
        new.write(text)


def write_file(folder, file, n_functions, n_statements):
    rng = random.Random(file)
    first = file * FUNCTIONS_PER_FILE
    mine = range(first, min(first + FUNCTIONS_PER_FILE, n_functions))
    bodies = []
    called = set()
    for i in mine:
        statements = [statement_of(rng, file, i, n_functions)
                      for _ in range(n_statements)]
        called.update(word.split("(")[0] for text in statements
                      for word in text.split() if word.startswith("function_"))
        bodies.append(f"uint32_t function_{i}(uint32_t x) {{\n"
                      f"  uint32_t sum = x;\n{''.join(statements)}"
                      f"  return sum;\n}}\n")
    runs = "".join(f"  if ({i}u * percent % 100 < percent)\n"
                   f"    sum += function_{i}(x + {i}u);\n" for i in mine)
    text = [HEADER]
    text += [f"uint32_t {name}(uint32_t x);\n" for name in sorted(called)]
    text += [f"__attribute__((noinline)) static uint32_t "
             f"local_{file}_{i}(uint32_t x) {{\n"
             f"  return x & {1 << i} ? x * {2 * i + 3} : x + {i};\n}}\n"
             for i in range(8)]
    text += bodies
    text.append(f"uint32_t run_part{file}(uint32_t x, uint32_t percent) {{\n"
                f"  uint32_t sum = 0;\n{runs}  return sum;\n}}\n")
    write_if_changed(os.path.join(folder, f"part{file}.c"), "".join(text))


def write_main(folder, part_names):
    write_if_changed(os.path.join(folder, "main.c"), MAIN % {
        "declarations": "\n".join(
            f"uint32_t {name}(uint32_t x, uint32_t percent);"
            for name in part_names),
        "parts": ", ".join(part_names)})


def write_parts(folder, n_functions, n_statements):
    """Write all but the main function. Returns names of the files, without
    their ending."""
    n_files = (n_functions + FUNCTIONS_PER_FILE - 1) // FUNCTIONS_PER_FILE
    for file in range(n_files):
        write_file(folder, file, n_functions, n_statements)
    return [f"part{file}" for file in range(n_files)]
