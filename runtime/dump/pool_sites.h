/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Translates the indirect calls of a process for a pool. The calls of a site's
 * first callee are what is left of its count, and those of the second have a
 * cell, so all processes must have the same ones: the first that come are the
 * pool's. If this process has another first callee, all calls of the site
 * become arcs; if only the second is another one, its calls do. */
#ifndef ARCLINE_RT_POOL_SITES_H
#define ARCLINE_RT_POOL_SITES_H

#include "dump/pool_ends.h"
#include "dump/profile.h"

struct rt_pool_sites {
  const struct rt_object *object;
  const struct rt_profile *profile;
  uint64_t *firsts;  /* bits: sites with another first callee; or NULL */
  uint64_t *seconds; /* bits: those with another second one only */
  size_t n_sites, n_firsts, n_seconds;
  struct solve_arcs arcs; /* of sites with another first one, among others */
};

/** Compare the callees, and store those that the pool does not have yet.
 * Returns 0 or a negative errno. rt_pool_sites_free() afterwards, in any case.
 */
int rt_pool_sites_compare(const struct rt_object *object,
                          struct rt_profile *profile, struct rt_pool_ends *ends,
                          struct rt_pool_sites *out);
/** How many arcs rt_pool_sites_each_arc() visits at most. */
size_t rt_pool_sites_n_arcs(const struct rt_pool_sites *sites);
/** Visit the profile's arcs, with the calls that have become arcs. Returns what
 * visit does; 0: it goes on. */
int rt_pool_sites_each_arc(const struct rt_pool_sites *sites,
                           int (*visit)(void *context,
                                        const struct solve_arc *arc),
                           void *context);
/** Take calls that have become arcs from the pool's cells, after those of the
 * process were added. Returns 0 or a negative errno. */
int rt_pool_sites_fix_cells(const struct rt_pool_sites *sites,
                            struct rt_pool *pool);
void rt_pool_sites_free(struct rt_pool_sites *sites);

#endif
