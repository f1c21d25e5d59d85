/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Packs all sums of a rank into one buffer, since MPI's collective operations
 * require operands of one size on all ranks. The sums themselves are in their
 * sorted form (docs/FORMAT.md, 1.5 and 5.3), so that the order in which ranks
 * are added does not matter. */
#ifndef ARCLINE_BUNDLE_H
#define ARCLINE_BUNDLE_H

#include "merge/merge.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/** MPI counts bytes in int. */
enum { BUNDLE_MAX_BYTES = INT_MAX };

/** The head of the buffer. */
struct bundle {
  /** Bytes of the whole, at most; more than there are: no sums follow. */
  uint64_t n_needed;
  uint64_t has_failed; /* there was no memory; no sums follow */
  uint64_t n_files, n_skipped;
  uint64_t n_sums;
};

/** How many bytes a buffer must have for these sums. */
size_t bundle_bytes(const struct merge *merge);

/** The size of buffers to allocate.
 *
 * n_tried   bytes of those that were too small; 0: none were tried
 * n_needed  bytes that the largest operand needs; or a reduction's result
 *
 * Returns more than n_tried, with some room for growth at first, and twice as
 * much at most after that; or 0: MPI has none that large. */
size_t bundle_room(size_t n_tried, uint64_t n_needed);

/** Put sums into a buffer of n_bytes, sizeof(struct bundle) at least. */
void bundle_pack(const struct merge *merge, void *buffer, size_t n_bytes);

/** Add the sums of a buffer up with others. Returns 0, or -1 with *err set (no
 * memory). */
int bundle_unpack(const void *buffer, struct merge *merge, struct err *err);

/** Add the sums of a buffer to those of another one of the same size. */
void bundle_add(const void *from, void *to, size_t n_bytes);

#endif
