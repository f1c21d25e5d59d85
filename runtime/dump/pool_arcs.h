/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Adds arcs and samples to the hash table of a pool. */
#ifndef ARCLINE_RT_POOL_ARCS_H
#define ARCLINE_RT_POOL_ARCS_H

#include "dump/pool_ends.h"

struct solve_arc;

/** The table, of which the chunks that are needed are in memory. */
struct rt_pool_arcs {
  struct rt_pool_ends *ends;
  struct arcline_pool_arc **chunks; /* NULL: not in memory */
  size_t n_chunks;
  struct arcline_pool_arc *larger; /* memory of all chunks of a new table; or
                                      NULL: each has its own */
};

/** Prepare to add n_more arcs and bins at most. Returns 0 or a negative errno.
 * rt_pool_arcs_end() afterwards, in any case. */
int rt_pool_arcs_begin(struct rt_pool_ends *ends, size_t n_more,
                       struct rt_pool_arcs *out);
/** Add an arc of the process. Returns 0 or a negative errno. */
int rt_pool_arcs_add(struct rt_pool_arcs *arcs, const struct solve_arc *arc);
/** Add the samples of a bin. Returns 0 or a negative errno. */
int rt_pool_arcs_add_bin(struct rt_pool_arcs *arcs, uint64_t vaddr,
                         uint64_t n_samples);
/** Store what was changed. Returns 0 or a negative errno. */
int rt_pool_arcs_store(struct rt_pool_arcs *arcs);
void rt_pool_arcs_end(struct rt_pool_arcs *arcs);

#endif
