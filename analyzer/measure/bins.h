/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Adds up histograms. Nearly all bins of a program are 0, and none of these is
 * kept. Part of measure.h, the only caller of bins_add(). */
#ifndef ARCLINE_BINS_H
#define ARCLINE_BINS_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct gmon_histogram;
struct sort_pair;

/** A bin that is not 0. */
struct bin {
  uint64_t count;
  uint32_t i_bin;
};

/** A histogram, summed over all records of the same range. */
struct bins {
  uint64_t low_pc;
  uint64_t high_pc;
  uint32_t n_bins;
  struct bin *filled; /* by number */
  size_t n_filled;
};

/** Add a histogram to the sum of its range. Returns 0; or -1 with *err set (no
 * memory) and *sum as it was. */
int bins_add(struct bins *sum, const struct gmon_histogram *histogram,
             struct err *err);

/** Replace all samples by others, of pairs of an address and a number, sorted
 * by address; those out of range are dropped. Returns 0; or -1 with *err set
 * (no memory). */
int bins_set(struct bins *bins, const struct sort_pair *samples, size_t n,
             struct err *err);

/** The addresses of a bin, [*low, *high): a byte at least. */
void bins_range(const struct bins *bins, uint32_t i_bin, uint64_t *low,
                uint64_t *high);

/** Called by bins_spread() with an address and its share of a bin's samples.
 * Returns 0, or -1 with *err set. */
typedef int bins_visit(void *context, uint64_t vaddr, double n_samples,
                       struct err *err);

/** Share the samples of each bin evenly among its bytes; of a wide one, among
 * some of them. Returns 0; or -1 if a visit did. */
int bins_spread(const struct bins *bins, bins_visit *visit, void *context,
                struct err *err);

#endif
