/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Translates the indirect calls of a process for a pool. The calls of a site's
 * first callee are what is left of its count, so all processes must have the
 * same one: the first that comes is the pool's. Of sites that have another one
 * in this process, all calls become arcs. */
#ifndef ARCLINE_RT_POOL_SITES_H
#define ARCLINE_RT_POOL_SITES_H

#include "dump/pool_ends.h"
#include "dump/profile.h"

struct rt_pool_sites {
  const struct rt_object *object;
  uint64_t *others; /* bits: sites with other callees; or NULL */
  size_t n_sites;
  bool has_others;
  struct solve_arcs arcs; /* of these sites, among others */
};

/** Compare the callees, and store those that the pool does not have yet.
 * Returns 0 or a negative errno. rt_pool_sites_free() afterwards, in any case.
 */
int rt_pool_sites_compare(const struct rt_object *object,
                          struct rt_profile *profile, struct rt_pool_ends *ends,
                          struct rt_pool_sites *out);
/** Is the arc one of a site with other callees? */
bool rt_pool_sites_has(const struct rt_pool_sites *sites,
                       const struct solve_arc *arc);
/** Take calls that have become arcs from the pool's cells, after those of the
 * process were added. Returns 0 or a negative errno. */
int rt_pool_sites_fix_cells(const struct rt_pool_sites *sites,
                            const struct rt_profile *profile,
                            struct rt_pool *pool);
void rt_pool_sites_free(struct rt_pool_sites *sites);

#endif
