/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Finds the hottest source lines of a program: those with the most self time,
 * and of equal ones those that ran most often.
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_HOT_LINES_H
#define ARCLINE_HOT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counts/flow_data.h"

struct err;
struct line_counts;
struct line_times;

struct hot_line {
  struct flow_line pos;
  double n_samples;
  uint64_t count;
  bool has_count; /* it was counted, perhaps 0 times */
};

/** Hottest first. All zero is empty. */
struct hot_lines {
  struct hot_line *lines;
  size_t n_lines;
  size_t n_all; /* that have run or took time */
};

/**
 * Find them.
 *
 * top  so many at most; 0: all that have run or took time.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int hot_lines_find(const struct line_counts *counts,
                   const struct line_times *times, size_t top,
                   struct hot_lines *out, struct err *err);

/** Free; empty ones may be released too. */
void hot_lines_release(struct hot_lines *lines);

#endif
