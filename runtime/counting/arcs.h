/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts calls in tables of arcs, by thread. In a free slot from is 0; in a
 * claimed one it is set before self.
 *
 * Memory for counts is mapped once and never freed while the process part is
 * loaded: a thread may count in it at any time, and its last access cannot be
 * detected. */
#ifndef ARCLINE_RT_ARCS_H
#define ARCLINE_RT_ARCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solve/arc.h"

enum {
  RT_FIRST_ARCS = 8192,   /* slots of a thread's first arc segment */
  RT_ARC_PROBES = 8,      /* slots that may hold a given arc in a segment */
  RT_ARC_CHUNKS = 64,     /* of a segment, each marked when it is used */
  RT_EARLY_ARCS = 256,    /* slots of an object's shared table */
  RT_HEADER_SPAN = 65536, /* a segment's head, in the largest page size */
};

struct rt_object;

/** Functions of the process part that place the memory of slots in a file. */
struct rt_backing {
  /** Memory fresh from rt_map() may be moved to a file. Returns whether it
   * was. Runs: hook. */
  bool (*back)(const struct rt_object *object, void *memory, size_t bytes);
  /** It is about to be unmapped. Runs: hook. */
  void (*forget)(const void *memory);
};

/** Head of one segment of a thread's table; the head survives fork(). */
struct rt_arcs {
  struct rt_arcs *next;             /* larger and younger, or NULL */
  const struct rt_backing *backing; /* NULL: plain memory */
  const struct rt_object *object;   /* for the backing */
  uint64_t n_slots; /* power of two; RT_ARC_PROBES more follow */
  uint64_t touched; /* by chunk: a slot was claimed there, or may be */
  bool is_wiped;    /* the kernel empties the slots in a fork()ed child */
};

/** The slots of a segment; free ones are all zero. */
static inline struct solve_arc *rt_arcs_slots(const struct rt_arcs *arcs) {
  return (struct solve_arc *)((uintptr_t)arcs + RT_HEADER_SPAN);
}

/** Index of the first slot that may have the arc in a first segment. Adjacent
 * calls have adjacent slots, which suits the caches; callees of one indirect
 * call are spread over sixteen slots. */
static inline uint64_t rt_arc_home(uint64_t from, uint64_t self) {
  return ((from >> 2) ^ ((self >> 4) & 15)) & (RT_FIRST_ARCS - 1);
}

/* Since they are declared hidden, they are reached without the global offset
 * table. */
#pragma GCC visibility push(hidden)
/** Map an empty segment of n_slots (a power of two). NULL if out of memory.
 * Runs: hook.
 *
 * backing  NULL: plain memory; also of the segments that will follow. */
struct rt_arcs *rt_arcs_create(uint64_t n_slots,
                               const struct rt_backing *backing,
                               const struct rt_object *object);

/** Give a backing to memory of the chain that has none. Runs: hook.
 */
void rt_arcs_back(struct rt_arcs *arcs);
void rt_arcs_destroy(struct rt_arcs *arcs);
#pragma GCC visibility pop

/** Zero all slots. No thread may be counting. */
void rt_arcs_empty(struct rt_arcs *arcs);

/** Count an arc of this thread, in a segment of the chain that starts at arcs,
 * or in a new one. Returns 0, or -ENOMEM if there is no room. Runs: hook. */
int rt_arcs_count(struct rt_arcs *arcs, uint64_t from, uint64_t self);

/** Count an arc in a table that all threads share; -ENOMEM if it is full.
 * Runs: hook. */
int rt_arcs_count_shared(struct solve_arc *slots, size_t n_slots, uint64_t from,
                         uint64_t self);

#endif
