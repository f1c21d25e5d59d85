/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Adds the unsolved counts of a process to a file that many processes share
 * (%m in out=). */
#ifndef ARCLINE_RT_POOL_H
#define ARCLINE_RT_POOL_H

#include "dump/profile.h"

struct rt_pool_figures;

struct rt_pool_part {
  const struct rt_object *object;
  struct rt_profile *profile; /* as collected; NULL: add the figures alone, to a
                                 pool that is there */
  struct rt_pool_figures *figures; /* or NULL; of the side file's object */
  const struct rt_object *main;    /* of the side file; or NULL */
  bool has_cells_only; /* of a context: arcline tests solves them alone, and
                          then removes the file */
  bool is_own; /* no other process has a file of that name: it needs no lock */
};

/**
 * Add to the pool at path, or create it. A process that is killed leaves the
 * pool as it was, or with all of the part in it; others that add at the same
 * time wait no longer than that takes.
 *
 * Returns 0 or a negative errno with the pool as it was: -RT_EINCOMPATIBLE if
 * the file is no pool, is damaged or cannot be added to, -RT_EFTYPE if it is no
 * regular file, -ETIMEDOUT if another process keeps it locked, the file
 * system's error if it has no locks. Runs: handler-safe; all signals are
 * blocked.
 */
int rt_pool_add(const char *path, const struct rt_pool_part *part);

#endif
