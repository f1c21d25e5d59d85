/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints orders for a linker, by `arcline gprof -r` and -R: names, one a line.
 * Same bytes as GNU gprof, but for its mistakes: docs/GPROF.md.
 */
#ifndef ARCLINE_GPROF_ORDER_H
#define ARCLINE_GPROF_ORDER_H

#include <stdbool.h>
#include <stdio.h>

struct err;
struct file_map;
struct profile;

/**
 * Print all functions, those that call each other near each other.
 *
 * profile  finished.
 * is_gnu   with GNU gprof's mistakes.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int gprof_function_order(const struct profile *profile, bool is_gnu, FILE *out,
                         struct err *err);

/**
 * Print the object files of a map, those that call each other near each other.
 *
 * profile  finished; the map was applied to its symbols.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int gprof_file_order(const struct profile *profile, const struct file_map *map,
                     FILE *out, struct err *err);

#endif
