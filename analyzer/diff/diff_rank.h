/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Chooses the rows of a comparison to show: of each table those that differ,
 * the largest differences first. Pure: no I/O.
 */
#ifndef ARCLINE_DIFF_RANK_H
#define ARCLINE_DIFF_RANK_H

#include <stddef.h>

struct diff;
struct err;

enum diff_table {
  DIFF_FUNC_CALLS, /* of funcs: calls; of the next two times */
  DIFF_FUNC_SELF,
  DIFF_FUNC_TOTAL,
  DIFF_CALLS, /* of calls */
  DIFF_LINES, /* of lines, as far as both sides have them */
};

/** Rows of a table. All zero is empty. */
struct diff_rank {
  size_t *rows;
  size_t n;
};

/** How much a row differs; 0: it does not, or that may be chance. */
double diff_change_size(const struct diff *diff, enum diff_table table,
                        size_t i_row);

/** Rank a table. Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns: caller frees out->rows. */
int diff_rank(const struct diff *diff, enum diff_table table,
              struct diff_rank *out, struct err *err);

#endif
