/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Translates the ends of arcs for a pool: other objects have a place in its
 * list, since their numbers are this process's alone. */
#ifndef ARCLINE_RT_POOL_ENDS_H
#define ARCLINE_RT_POOL_ENDS_H

#include "dump/pool_words.h"

struct rt_pool_ends {
  struct rt_pool *pool;
  struct arcline_pool_other *list; /* NULL: not read yet */
  uint64_t last_number, last;      /* the end that was made last */
  int error; /* 0 or negative errno, of the first failure */
};

/** The end in the pool; 0 stays 0. */
uint64_t rt_pool_end_of(struct rt_pool_ends *ends, uint64_t end);
void rt_pool_ends_free(struct rt_pool_ends *ends);

#endif
