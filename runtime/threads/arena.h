/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Allocates memory that stays to the end of the process, for records of
 * threads and of their counters. */
#ifndef ARCLINE_RT_ARENA_H
#define ARCLINE_RT_ARENA_H

#include <stddef.h>

enum { RT_ARENA_BYTES = 64 * 1024 }; /* that are mapped at a time */

/** Zeroed memory, 16-byte aligned, or NULL. Runs: hook. */
void *rt_arena_alloc(size_t bytes);
/** Unmap all of it. No other thread may use it. Runs: exit. */
void rt_arena_release(void);

#endif
