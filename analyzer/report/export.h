/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * The formats of `arcline export`: one function each, in a file of its own,
 * and one row of the table in cmd_export.c.
 */
#ifndef ARCLINE_EXPORT_H
#define ARCLINE_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

struct branch_counts;
struct err;
struct file_table;
struct line_counts;

/** What is exported. Everything is borrowed. */
struct export_input {
  const struct file_table *files;
  const struct line_counts *lines;
  const struct branch_counts *branches; /* empty if counts are not exact */
};

/** What options say; each is for some of the formats. */
struct export_options {
  bool is_lcov_2_2; /* the records that came with lcov 2.2 */
};

/**
 * Write everything in one format.
 *
 * out  the caller checks it for errors.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
typedef int export_writer(const struct export_input *input,
                          const struct export_options *options, FILE *out,
                          struct err *err);

#endif
