/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints functions as machine code: samples of each instruction, the count of
 * each block at its start, and the source lines in between.
 */
#ifndef ARCLINE_ASM_LIST_H
#define ARCLINE_ASM_LIST_H

#include <stddef.h>
#include <stdio.h>

struct err;
struct line_profile;
struct screen;
struct source_paths;
struct wanted_func;

/** The data to print. Borrowed. */
struct asm_list {
  struct line_profile *profile;
  const struct wanted_func
      *funcs; /* none: the function with the most samples */
  size_t n_funcs;
  const struct source_paths *paths;
  const struct screen *screen;
  double n_samples; /* of all the program; 0: there are none */
};

/**
 * Print it.
 *
 * Returns 0, or -1 with *err set.
 * Errors: a machine whose code cannot be listed; a function that does not
 *         exist; no memory.
 */
int asm_list_print(const struct asm_list *list, FILE *out, struct err *err);

#endif
