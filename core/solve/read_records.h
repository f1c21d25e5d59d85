/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Declares what the solver stores of the records of an image while one profile
 * is solved. */
#ifndef ARCLINE_SOLVE_READ_RECORDS_H
#define ARCLINE_SOLVE_READ_RECORDS_H

#include "solve/records.h"

/** Of every source function. */
struct solve_head {
  uint32_t opened;   /* one more than its index among the open ones, or 0 */
  uint32_t own_body; /* one more than the number of its own body, or 0 */
  uint32_t name; /* place of its name in the constant data, or SOLVE_NONE: it is
                    damaged */
  uint32_t first_node; /* among all nodes; ends where the next one begins */
};

/** A source function that has run or was called; with has_all_blocks, each. */
struct solve_func {
  struct solve_func_record record;
  uint32_t i_func;      /* its number */
  uint32_t first_count; /* among nodes of functions that have counts, or
                           SOLVE_NONE */
  uint32_t first_value; /* in solver.values, if it has several copies */
  uint32_t n_copies;    /* in bodies that have run */
  uint64_t vaddr;       /* of its own body, or 0 */
  uint64_t n_entries;
  uint64_t n_called; /* by arcs that were derived */
  bool has_run;      /* a body with a copy of it has */
  bool has_sites;    /* in one of its copies at least */
  bool is_leaf;      /* is known to have no calls */
  bool is_bad;       /* its counts cannot be determined */
};

struct solve_body {
  uint64_t vaddr;      /* or 0 */
  uint32_t i_func;     /* or SOLVE_NONE: of a function that has no record */
  uint32_t first_copy; /* in solver.copies, if it has run */
  uint32_t n_copies;
  bool has_run; /* a cell is not 0 */
  bool is_bad;
};

/** A copy in a body that has run, or is damaged. */
struct solve_copy {
  uint32_t i_body;
  uint32_t i_func; /* or SOLVE_NONE: damaged */
};

/** Adjacent copies of one body that has run. */
struct solve_run {
  uint32_t i_body, first, end;
};

#endif
