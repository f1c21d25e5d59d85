/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds a thread's record, and in it the counters of an object. The record is
 * in a thread-local variable or, for shared objects, whose static storage is
 * scarce, in a table. All functions change general registers only. */
#ifndef ARCLINE_RT_SELF_H
#define ARCLINE_RT_SELF_H

#include "threads/threads.h"

/** Replaces the record of a thread that has released its own at its end; its
 * address marks signals of the runtime. */
extern struct rt_thread rt_self_gone;

/** The places of a record's counters by their objects' numbers. A missing entry
 * has no meaning: handlers may lose some. */
struct rt_counters_index {
  size_t n;
  struct rt_counters *items[];
};

/** The record's counters of the object if the index has them, or NULL. Runs:
 * hook. */
static inline struct rt_counters *rt_self_lookup(const struct rt_thread *mine,
                                                 unsigned number) {
  const struct rt_counters_index *index = rt_load(&mine->index);

  return index && number < index->n ? rt_load(&index->items[number]) : NULL;
}

/** NULL: the thread has none yet. Runs: hook. */
struct rt_thread *rt_self(void);
/** Set the thread's record, unless a signal handler has set another one
 * meanwhile. Returns the one that is set. Runs: hook. */
struct rt_thread *rt_self_replace(struct rt_thread *before,
                                  struct rt_thread *after);
/** Set the thread's record to rt_self_gone. Runs: exit. */
void rt_self_leave(void);
/** The thread that had the record has ended unannounced. Runs: hook. */
void rt_self_forget(struct rt_thread *record);
/** No thread has a record any more. Runs: exit. */
void rt_self_release(void);

#endif
