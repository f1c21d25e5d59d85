/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines the coverage of a side of a comparison: of the whole, and by file, by
 * folder and by function.
 */
#ifndef ARCLINE_DIFF_COVERAGE_H
#define ARCLINE_DIFF_COVERAGE_H

#include <stddef.h>
#include <stdint.h>

/** Kinds of coverage; the last two are of programs that were built for MC/DC.
 */
enum {
  COVERED_LINES,
  COVERED_FUNCTIONS,
  COVERED_BRANCHES,
  COVERED_CONDITIONS, /* two of each condition: its values */
  COVERED_MCDC,       /* conditions of decisions that have several */
  N_COVERED
};

/** How many there are of one of these, and how many ran. */
struct diff_coverage {
  size_t n, n_run;
};

/** A file, folder or function of the last side. */
struct diff_covered {
  const char *name; /* linkage name, of a function */
  const char *file; /* of a function, with the line; otherwise NULL */
  uint32_t line;
  struct diff_coverage all[N_COVERED];
  struct diff_coverage changed[N_COVERED]; /* lines; all 0 for functions */
  char *owned;                             /* private: the name of a folder */
};

/** A list of these. */
struct diff_covered_list {
  struct diff_covered *rows;
  size_t n_rows;
};

/** A line that never ran. */
struct diff_uncovered {
  const char *file;
  uint32_t line;
};

#endif
