/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Counts arcs of the object with this copy of the runtime: code shared by the
 * pass's mcount and those of -pg. */
#ifndef ARCLINE_RT_OBJECT_H
#define ARCLINE_RT_OBJECT_H

#include "counting/arcs.h"
#include "cpu/cpu.h"
#include "objects/objects.h"
#include "os/os.h"

/* Is this for shared objects? Set by the build. */
#ifndef RT_IS_SHARED
#define RT_IS_SHARED 0
#endif

/* Since they are declared hidden, they are reached without the global offset
 * table. */
#pragma GCC visibility push(hidden)
#if RT_IS_SHARED
/** After the cells; at the same offset after a thread's copy of them is the
 * pointer to its table of arcs. */
extern uintptr_t rt_arcs_place;
#else
/** The calling thread's table, NULL before it has one. Not to be touched before
 * __arcline_ready is set. */
extern __thread struct rt_arcs *rt_thread_arcs;
#endif

/** __arcline_ready. The fence is for what follows: resolvers of ifuncs run
 * before static executables have thread-local variables, and clang may read one
 * before the branch. */
static inline bool rt_is_ready(void) {
  if (!rt_load(&__arcline_ready))
    return false;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return true;
}

/** The thread's table of arcs; NULL: none yet, or rt_find_arcs() finds it.
 * Runs: hook. */
static inline struct rt_arcs *rt_own_arcs(void) {
#if RT_IS_SHARED
  const intptr_t slot = rt_load(&__arcline_slot);
  const uintptr_t bias =
      slot ? *(const uintptr_t *)(rt_cpu_own_pointer() + (uintptr_t)slot) : 0;

  return bias ? *(struct rt_arcs *const *)(rt_arcs_place + bias) : NULL;
#else
  return rt_is_ready() ? rt_thread_arcs : NULL;
#endif
}

/** The same, by any method; NULL: none yet. Changes general registers only.
 * Runs: hook. */
struct rt_arcs *rt_find_arcs(void);
/** Give the calling thread a table, if there is memory. Calls libc, which may
 * change vector registers. Runs: hook. */
void rt_attach_thread_arcs(void);
/** Count an arc in the thread's table if it has one, else in the object's.
 * Changes general registers only. Runs: hook. */
void rt_count_attached(uint64_t from, uint64_t self);
/** Both of the above. Runs: hook. */
void rt_count_slowly(uint64_t from, uint64_t self);
/** Connect the object to the process part, unless that is done. Runs: startup.
 */
void rt_attach(void);
/** The calling thread begins, or is detected later: let it count in its own
 * cells, also through GS. Runs: hook. */
void rt_begin_thread(void);
#pragma GCC visibility pop

/** Count the arc from the call that returns to from, to self. Runs: hook. */
static inline __attribute__((always_inline)) void rt_count_arc(uint64_t from,
                                                               uint64_t self) {
  const struct rt_arcs *arcs = rt_own_arcs();

  if (rt_likely(arcs)) {
    struct solve_arc *slot = rt_arcs_slots(arcs) + rt_arc_home(from, self);
    if (rt_likely(slot->from == from) && rt_likely(slot->self == self)) {
      rt_cpu_bump(&slot->count);
      return;
    }
    slot++;
    if (slot->from == from && slot->self == self) {
      rt_cpu_bump(&slot->count);
      return;
    }
  }
  rt_count_slowly(from, self);
}

#endif
