/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Counts branches, by flow graphs: how often control took each way of a
 * condition or switch of the source. A branch belongs to the line where it
 * begins. Choices that the compiler added are none.
 *
 * The branches of several instances of one function (choice_order.h) are added
 * up as one.
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_BRANCH_COUNTS_H
#define ARCLINE_BRANCH_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "counts/decision_counts.h"
#include "counts/flow_data.h"

struct err;

/** A choice. */
struct branch_block {
  struct flow_line pos;
  uint32_t column;  /* 0: unknown */
  uint32_t number;  /* among those of the line, from 0 */
  uint64_t count;   /* times made */
  size_t first_way; /* index into branch_counts.ways */
  uint32_t n_ways;  /* at least 2 */
};

/** All branches, in order of file, line, column and number. All zero is empty.
 */
struct branch_counts {
  struct branch_block *blocks;
  size_t n_blocks;
  uint64_t *ways; /* times taken, in the order of the compiler */
  size_t n_ways;
  struct decision_counts decisions; /* if the program was built for MC/DC */
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
