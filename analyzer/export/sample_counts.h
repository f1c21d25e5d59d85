/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Converts exact counts to LLVM's form of samples: by lines of a function,
 * counted from the line of its definition, and by discriminators, which number
 * the blocks that share a line. Discriminators are not recorded: LLVM numbers
 * these blocks in their order, which is that of the nodes of a flow graph.
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_SAMPLE_COUNTS_H
#define ARCLINE_SAMPLE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct flow_data;
struct line_counts;

/** A callee of a place. */
struct sample_target {
  const char *name; /* linkage name */
  uint64_t count;
};

/** A line's code in one block, or a call. */
struct sample_line {
  uint32_t offset; /* from the function's first line, modulo 2^16 */
  uint32_t discriminator;
  uint64_t count; /* times run */
  size_t first_target;
  uint32_t n_targets;
};

/** Functions of one name. */
struct sample_func {
  const char *name; /* linkage name */
  uint64_t n_entries;
  size_t first_line, n_lines;
};

/** In order of name; lines in order of offset and discriminator; targets by
 * count, the largest first. All zero is empty. */
struct sample_counts {
  struct sample_func *funcs;
  size_t n_funcs;
  struct sample_line *lines;
  size_t n_lines, max_lines;
  struct sample_target *targets;
  size_t n_targets, max_targets;
};

/**
 * Count the lines and callees of functions that were run.
 *
 * flow            solved; names are borrowed.
 * indirect_calls  their callees, if these were recorded; the rest has the name
 *                 "". line_profile_indirect_calls().
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 * Source: LLVM's AddDiscriminators pass; FunctionSamples::getOffset().
 */
int sample_counts_build(const struct flow_data *flow,
                        const struct line_counts *indirect_calls,
                        struct sample_counts *out, struct err *err);

/** Free; an empty one may be released too. */
void sample_counts_release(struct sample_counts *counts);

#endif
