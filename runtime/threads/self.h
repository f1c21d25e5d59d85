/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds a thread's record: in a thread-local variable, or, in shared objects,
 * for which static storage is scarce, in a table; and in the record its
 * counters of an object. All of it changes general registers only. */
#ifndef ARCLINE_RT_SELF_H
#define ARCLINE_RT_SELF_H

#include "threads/threads.h"

/** Stands for the record of a thread that has given its own away at its end;
 * its address marks signals of ours. */
extern struct rt_thread rt_self_gone;

/** The places of a record's counters by their objects' numbers. No entry means
 * nothing: handlers may lose some. */
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
/** Let the thread have another one, unless a signal handler has changed that
 * meanwhile. Returns what it has. Runs: hook. */
struct rt_thread *rt_self_replace(struct rt_thread *before,
                                  struct rt_thread *after);
/** The thread has rt_self_gone from now on. Runs: exit. */
void rt_self_leave(void);
/** The thread that had the record has ended unannounced. Runs: hook. */
void rt_self_forget(struct rt_thread *record);
/** No thread has any. Runs: exit. */
void rt_self_release(void);

#endif
