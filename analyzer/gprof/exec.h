/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints execution counts of functions and basic blocks for `arcline gprof -C`.
 * Same bytes as GNU gprof.
 */
#ifndef ARCLINE_GPROF_EXEC_H
#define ARCLINE_GPROF_EXEC_H

#include <stdbool.h>
#include <stdio.h>

struct err;
struct profile;

/**
 * Print one line per symbol and block, sorted by file, line and address.
 *
 * has_zero_rows  those with count 0 too.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int gprof_exec(const struct profile *profile, bool has_zero_rows, FILE *out,
               struct err *err);

#endif
