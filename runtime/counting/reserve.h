/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reserves words of the executable's thread-local storage for libraries that
 * are loaded later: each library has one word in every thread, at the same
 * distance from the thread pointer. In start/reserve.c, which shared objects
 * are not linked with: weak. */
#ifndef ARCLINE_RT_RESERVE_H
#define ARCLINE_RT_RESERVE_H

#include <stdint.h>

/** How many there are. Each costs every thread of the program 8 bytes. */
enum { RT_N_RESERVED = 64 };

/** Returns the distance of a word that is 0 in all threads, or 0 if none is
 * left. Runs: startup. */
__attribute__((weak)) intptr_t rt_reserve_alloc(void);
/** Let others have it; it is 0 in all threads again. Runs: exit. */
__attribute__((weak)) void rt_reserve_free(intptr_t distance);

#endif
