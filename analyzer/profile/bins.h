/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Sums of histograms. Nearly all bins of a program are 0, and none of these is
 * kept. Part of profile.h, which alone uses it. */
#ifndef ARCLINE_BINS_H
#define ARCLINE_BINS_H

struct err;
struct gmon_histogram;
struct profile_histogram;

/** Add what a histogram counted to the sum of its range. Returns 0; or -1 with
 * *err set (no memory) and *sum as it was. */
int bins_add(struct profile_histogram *sum,
             const struct gmon_histogram *histogram, struct err *err);

#endif
