/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads and changes the words of a pool (arcline/pool_format.h), whose file
 * the caller has locked. Nothing of that counts before rt_pool_commit(). */
#ifndef ARCLINE_RT_POOL_WORDS_H
#define ARCLINE_RT_POOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "arcline/pool_places.h"

/** Figures for the first words, in place of lines of the side file. */
struct rt_pool_figures {
  uint64_t note; /* hash of the lines that the side file must have; not 0 */
  uint64_t n[ARCLINE_POOL_N_FIGURES];
  bool is_note_new; /* note it; else add, if it is noted */
  bool is_added;    /* set when the pool has them */
};

struct rt_pool {
  long fd;
  struct arcline_pool_places places;
  struct arcline_pool_head *head;  /* as it will be */
  uint64_t *newer, *changed;       /* bits: which copy; was it changed */
  uint64_t *words;                 /* of up to ARCLINE_POOL_BLOCK chunks */
  struct rt_pool_figures *figures; /* to be added; or NULL */
};

/** Is bit i set? No bits (NULL): no. */
static inline bool rt_pool_has_bit(const uint64_t *bits, uint64_t i) {
  return bits && bits[i / 64] >> i % 64 & 1;
}

/** Read the heads of the pool of that object. Returns 0 or a negative errno,
 * -RT_EINCOMPATIBLE if they are damaged. rt_pool_end() afterwards, in any case.
 */
int rt_pool_begin(long fd, const struct arcline_live_object *object,
                  struct rt_pool *out);
void rt_pool_end(struct rt_pool *pool);

/** Up to how many of n chunks can be loaded at once. */
size_t rt_pool_stretch(const struct rt_pool *pool, uint64_t chunk, uint64_t n);
/** Load that many chunks. Returns 0 or a negative errno. */
int rt_pool_load(const struct rt_pool *pool, uint64_t chunk, size_t n,
                 uint64_t *words);
/** Store chunks that were loaded together. Returns 0 or a negative errno. */
int rt_pool_store(struct rt_pool *pool, uint64_t chunk, size_t n,
                  const uint64_t *words);
/** Add numbers to the words from `first` on, and the figures if the first chunk
 * is among these and that was not done yet. Returns 0 or a negative errno.
 *
 * touched  a bit for each SOLVE_PART_CELLS numbers: they may be other than 0;
 *          NULL: all may */
int rt_pool_add_words(struct rt_pool *pool, uint64_t first,
                      const uint64_t *numbers, uint64_t n,
                      const uint64_t *touched);
/** Let all of that count. Returns 0 or a negative errno. */
int rt_pool_commit(struct rt_pool *pool);

#endif
