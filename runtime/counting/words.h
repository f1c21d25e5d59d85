/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Stores a word for each thread, found by its thread pointer: a replacement
 * for thread-local storage, if static storage is used up or must not be
 * referred to, and dynamic storage would call malloc() at a thread's first
 * access.
 *
 * libc reuses the memory at a thread pointer for a later thread. So the code
 * that detects the end of a thread frees its words. */
#ifndef ARCLINE_RT_WORDS_H
#define ARCLINE_RT_WORDS_H

#include <stdint.h>

/** A table; NULL is an empty one. A full table is followed by another one:
 * words stay where they are. */
struct rt_words;

/** The word of a thread, or NULL if it has none. Runs: hook. */
intptr_t *rt_words_find(struct rt_words *words, uintptr_t thread);
/** The same; one that is new is 0. NULL if out of memory. Runs: hook. */
intptr_t *rt_words_get(struct rt_words **words, uintptr_t thread);
/** Release the word. Runs: hook. */
void rt_words_free(intptr_t *word);
/** Unmap all of it. No thread may be reading. Runs: exit. */
void rt_words_release(struct rt_words **words);

#endif
