/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads the starts and ends of functions from an image's unwind information:
 * the entries of .eh_frame, which stripping keeps.
 */
#ifndef ARCLINE_CODE_EXTENTS_H
#define ARCLINE_CODE_EXTENTS_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct image;

/** Addresses low <= vaddr < high, of one function or a part of it. */
struct code_extent {
  uint64_t low, high;
};

/** By address; no two begin at the same one. All zero is empty. */
struct code_extents {
  struct code_extent *extents;
  size_t n_extents;
};

/**
 * Read all entries, once.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty. No entries, or
 * damaged ones, are an empty result, or those that could be read.
 */
int code_extents_load(const struct image *image, struct code_extents *out,
                      struct err *err);

/** Number of extents that begin at vaddr or below: the first ones. O(log n). */
size_t code_extents_count_up_to(const struct code_extents *extents,
                                uint64_t vaddr);

/** Free; an empty one may be released too. */
void code_extents_release(struct code_extents *extents);

#endif
