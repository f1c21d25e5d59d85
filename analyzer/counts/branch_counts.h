/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Execution counts of branches, from flow graphs: for each basic block that
 * ends in a choice, how often control took each way. A block belongs to the
 * line of its choice, which is its last one; without a line it is the
 * compiler's own and left out.
 *
 * The same block of several instances of one function (of a template, or of an
 * inline function in several units) is counted once, with sums, if the
 * instances have the same choices on the line; else each has blocks of its own.
 * Instances are functions that are defined on the same line, either under the
 * same name or under names that a compiler of C++ or Rust made.
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_BRANCH_COUNTS_H
#define ARCLINE_BRANCH_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counts/flow_data.h"

struct err;

/** A basic block that ends in a choice. */
struct branch_block {
  struct flow_line pos;
  uint32_t number;   /* among those of the line, from 0 */
  bool is_exception; /* chooses who catches an exception */
  uint64_t count;    /* times entered */
  size_t first_way;  /* index into branch_counts.ways */
  uint32_t n_ways;   /* at least 2 */
};

/** All branches, in order of file, line and number. All zero is empty. */
struct branch_counts {
  struct branch_block *blocks;
  size_t n_blocks;
  uint64_t *ways; /* times taken, in the order of the compiler */
  size_t n_ways;
};

/**
 * Collect the branches of all functions.
 *
 * flow  solved; lends the numbers of files.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int branch_counts_build(const struct flow_data *flow, struct branch_counts *out,
                        struct err *err);

/** Free; an empty one may be released too. */
void branch_counts_release(struct branch_counts *counts);

#endif
