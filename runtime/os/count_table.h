/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts by key, in tables that signal handlers of all threads share. */
#ifndef ARCLINE_RT_TALLY_H
#define ARCLINE_RT_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RT_TALLY_GROUP = 256 }; /* slots that share one "touched" byte */

struct rt_count {
  uint64_t key; /* 0: free; never changes again */
  uint64_t n;
};

struct rt_tally {
  struct rt_count *slots; /* NULL if out of memory */
  uint8_t *touched;       /* per group: not all of it is free */
  size_t n_slots;         /* power of two, multiple of RT_TALLY_GROUP */
  uint64_t n_rest;        /* of keys that found no slot */
  bool is_wiped;          /* like rt_arcs.is_wiped */
};

/** n_slots as said above. Without memory all is counted in n_rest. */
void rt_tally_init(struct rt_tally *tally, size_t n_slots); /* startup */
void rt_tally_release(struct rt_tally *tally);              /* exit */
/** key: not 0. Runs: hook. */
void rt_tally_add(struct rt_tally *tally, uint64_t key, uint64_t n);
/** At least as many as there are keys. Runs: handler-safe. */
size_t rt_tally_room(const struct rt_tally *tally);
/** Copy at most room counts that are not 0; returns how many. Runs:
 * handler-safe. */
size_t rt_tally_read(const struct rt_tally *tally, struct rt_count *out,
                     size_t room);
uint64_t rt_tally_sum(const struct rt_tally *tally); /* handler-safe */
void rt_tally_reset(struct rt_tally *tally);         /* handler-safe */
void rt_tally_in_child(struct rt_tally *tally);      /* in fork()'s child */

#endif
