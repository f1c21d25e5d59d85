/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Writes a comparison of two profiles as a folder of linked pages: `arcline
 * diff --html`. They show the tables of text and Markdown, from the same struct
 * diff, and the lines that differ within their source. All output follows from
 * the input alone.
 */
#ifndef ARCLINE_DIFF_PAGES_H
#define ARCLINE_DIFF_PAGES_H

#include "diff/diff.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct gate_result;
struct source_paths;

/** The input of a report. Everything is borrowed. */
struct diff_pages_input {
  const struct diff *diff;       /* of two sides */
  const char *names[DIFF_SIDES]; /* the user's names of them */
  const struct source_paths *sources[DIFF_SIDES];
  const struct gate_result *gates;
  size_t n_gates;
};

/**
 * Write a report.
 *
 * folder, is_forced  as of html_report_write().
 *
 * Returns 0; or -1 with *err set: those of site_open(); files that cannot be
 * written; no memory.
 */
int diff_pages_write(const struct diff_pages_input *input, const char *folder,
                     bool is_forced, struct err *err);

#endif
