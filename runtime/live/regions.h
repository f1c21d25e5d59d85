/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Regions of a live mapping (arcline/live_format.h): memory that counts, which
 * is laid over with a piece of a file, or of memory that relatives share. Runs:
 * hook, all of it. */
#ifndef ARCLINE_RT_REGIONS_H
#define ARCLINE_RT_REGIONS_H

#include "arcline/live_format.h"
#include "live/live_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_piece {
  void *at; /* NULL: not mapped */
  size_t bytes;
};

/** A live file, or a slot of the relatives' memory. */
struct rt_live {
  struct arcline_live_head *head;
  size_t shared_bytes; /* from the head on, in the family's memory; 0: a file */
  uint64_t n_kept;     /* baselines there */
  bool has_failed;     /* and reported it */
  /* By number of the region. */
  struct rt_piece pieces[ARCLINE_LIVE_MAX_REGIONS];
  struct rt_live_file file;
};

/** Number of regions that have been claimed; some may be free again. */
size_t rt_regions_in_use(const struct rt_live *file);
/** Returns the number of the region at memory, or ARCLINE_LIVE_MAX_REGIONS. */
size_t rt_region_find(const struct rt_live *file, const void *memory);

/** Find an entry for n bytes: one that is not in use any more, or a new one.
 * Returns NULL if there are too many. The entry's room is 0 if it is new. */
struct arcline_live_region *rt_region_claim(struct arcline_live_head *head,
                                            size_t n_bytes);
/** Lay the entry's piece over memory, all zero. If the entry is new, it gets a
 * piece. Returns 0 or a negative errno. */
int rt_region_overlay(const struct rt_live *file,
                      struct arcline_live_region *entry, void *memory,
                      size_t bytes);
/** Returns the entry's piece of the memory that relatives share, or NULL if
 * there is no room for it. If the entry is new, it gets one. */
void *rt_region_place_shared(const struct rt_live *file,
                             struct arcline_live_region *entry, size_t bytes);
/** Is the entry's piece inside of the memory of a relative, of n_bytes? A
 * relative that is gone may have written over its entries before. */
bool rt_region_is_inside(const struct arcline_live_region *entry,
                         size_t n_bytes);
/** Describe the region. From then on it counts. */
void rt_region_describe(struct arcline_live_region *entry,
                        enum arcline_live_kind kind, uint32_t object,
                        size_t bytes, uint64_t detail);
/** In a child: put memory of its own in the place of the parent's, zero or with
 * the same contents. */
void rt_region_replace(const struct rt_piece *piece, bool is_copied);

#endif
