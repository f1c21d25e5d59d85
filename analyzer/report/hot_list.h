/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints a list of hot lines with their source text.
 */
#ifndef ARCLINE_HOT_LIST_H
#define ARCLINE_HOT_LIST_H

#include <stdint.h>
#include <stdio.h>

struct err;
struct file_table;
struct hot_lines;
struct screen;
struct source_paths;

/** The data to print. Borrowed. */
struct hot_list {
  const struct hot_lines *lines;
  const struct file_table *files;   /* of the lines */
  const struct source_paths *paths; /* places of sources */
  const struct screen *screen;
  double n_samples; /* of all the program; 0: there are none */
  uint32_t rate_hz; /* samples a second; 0: times are in samples */
};

/** Print it: a line each. Sources that cannot be read have no text. Returns 0,
 * or -1 with *err set (no memory). */
int hot_list_print(const struct hot_list *list, FILE *out, struct err *err);

#endif
