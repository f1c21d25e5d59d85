/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Opens and locks files that many processes add to. The lock is that of the
 * file itself, so that of a process that is killed goes with it. */
#ifndef ARCLINE_RT_POOL_LOCK_H
#define ARCLINE_RT_POOL_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/** Has the process waited for too long? *until_ns: when that is; 0: it begins
 * to wait. */
bool rt_pool_is_late(uint64_t *until_ns);
/** Open a regular file, or what may be one. Returns a descriptor or a negative
 * errno. */
long rt_pool_open(const char *path, int flags);
/** Lock it. until_ns: as above. Returns 0 or a negative errno: -ETIMEDOUT. */
int rt_pool_lock(long fd, uint64_t *until_ns);

#endif
