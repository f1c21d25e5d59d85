/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts by key, in tables that are shared by signal handlers of all
 * threads. */
#ifndef ARCLINE_RT_COUNT_TABLE_H
#define ARCLINE_RT_COUNT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RT_COUNT_TABLE_GROUP = 256 }; /* slots that share one "touched" byte */

struct rt_count {
  uint64_t key; /* 0: free; never changes again */
  uint64_t n;
};

struct rt_count_table {
  struct rt_count *slots; /* NULL if out of memory */
  uint8_t *touched;       /* per group: not all of it is free */
  size_t n_slots;         /* power of two, multiple of RT_COUNT_TABLE_GROUP */
  uint64_t n_rest;        /* of keys that found no slot */
  bool is_used;           /* there may be keys: most processes have none */
  bool is_wiped;          /* like rt_arcs.is_wiped */
};

/** The memory of a table, in bytes of whole pages. */
size_t rt_count_table_bytes(size_t n_slots);
/** n_slots: see struct rt_count_table. Without memory all counts go to
 * n_rest. */
void rt_count_table_init(struct rt_count_table *table,
                         size_t n_slots);                  /* startup */
void rt_count_table_release(struct rt_count_table *table); /* exit */
/** key: not 0. Runs: hook. */
void rt_count_table_add(struct rt_count_table *table, uint64_t key, uint64_t n);
/** The index of a key (not 0) among the slots, which it keeps from now on;
 * n_slots if there is no room. Runs: hook. */
size_t rt_count_table_place(struct rt_count_table *table, uint64_t key);
/** The number of keys, or more. Runs: handler-safe. */
size_t rt_count_table_room(const struct rt_count_table *table);
/** Copy at most room counts that are not 0; returns how many. Runs:
 * handler-safe. */
size_t rt_count_table_read(const struct rt_count_table *table,
                           struct rt_count *out, size_t room);
uint64_t
rt_count_table_sum(const struct rt_count_table *table);  /* handler-safe */
void rt_count_table_reset(struct rt_count_table *table); /* handler-safe */
void rt_count_table_in_child(
    struct rt_count_table *table); /* in fork()'s child */

#endif
