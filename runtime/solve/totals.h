/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** All that goes into one file: cells and arcs of all threads, added up and
 * solved. */
#ifndef ARCLINE_RT_PROFILE_H
#define ARCLINE_RT_PROFILE_H

#include "objects/objects.h"
#include "timers/trigger.h"

/** Pairs of address and count, computed as they are written. */
struct rt_blocks {
  /** Store the next pairs at out, at most room: two uintptr_t each. Returns how
   * many; 0 means that there are no more. */
  size_t (*next)(struct rt_blocks *blocks, uint8_t *out, size_t room);
};

struct rt_memory {
  void *base; /* or NULL */
  size_t n_bytes;
};

/** All that goes into one file. */
struct rt_profile {
  const uint8_t *build_id;
  const struct rt_text *texts;
  size_t n_texts;
  unsigned bin_bytes;
  struct rt_clock clock;
  struct rt_arc *arcs; /* merged; until they are solved: those from sites among
                          them */
  size_t n_arcs, n_arcs_room;
  struct rt_blocks *blocks; /* or NULL; to be taken once */
  uint64_t *cells;
  size_t n_cells;
  uint64_t cells_vaddr;
  uint64_t sum;               /* of all cells, arcs and samples */
  struct rt_memory solved[2]; /* what blocks are computed from */
};

/** Add up what all threads have counted in an object.
 * Returns 0 or -ENOMEM. rt_profile_release() afterwards, in any case. */
int rt_profile_collect(const struct rt_object *object, struct rt_profile *out);
/** What sum would be, for less: it takes no memory. */
uint64_t rt_profile_sum(const struct rt_object *object);
/** The one of the image's cells that counts calls of a site's second callee,
    or NULL. */
uint64_t *rt_site_cell(const struct rt_image *image, uint64_t *cells,
                       const struct arcline_site *site);
/** Solve the flow equations: cells -> blocks, arcs. Returns 0 or -ENOMEM. */
int rt_profile_solve(const struct rt_object *object, struct rt_profile *out);
/** Add arcs from sites to their first callees, which until then are what is
 * left of the sites' counts: the sites are about to be unmapped, and at the
 * next load another callee may come first. Returns 0 or -ENOMEM. */
int rt_profile_fix_sites(const struct rt_object *object,
                         struct rt_profile *out);
void rt_profile_release(struct rt_profile *profile);

#endif
