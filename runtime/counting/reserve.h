/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reserves words of the executable's thread-local storage for libraries that
 * are loaded later: each library has one word in every thread, at the same
 * distance from the thread pointer. Defined in start/reserve.c, with which
 * shared objects are not linked: weak. */
#ifndef ARCLINE_RT_RESERVE_H
#define ARCLINE_RT_RESERVE_H

#include <stdint.h>

/** Their number. Each costs every thread of the program 8 bytes. */
enum { RT_N_RESERVED = 64 };

/** Returns the distance of a word that is 0 in all threads, or 0 if none is
 * left. Runs: startup. */
__attribute__((weak)) intptr_t rt_reserve_alloc(void);
/** Release the word, which is 0 in all threads again. Runs: exit. */
__attribute__((weak)) void rt_reserve_free(intptr_t distance);

#endif
