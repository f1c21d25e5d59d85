/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Announces threads to the runtime as they begin. */
#ifndef ARCLINE_RT_START_H
#define ARCLINE_RT_START_H

#include <pthread.h>

#include "hooks/object.h"

/* As in <threads.h>, whose name is that of a file of ours. */
typedef int rt_thrd_start_fn(void *);
typedef int rt_thrd_create_fn(pthread_t *, rt_thrd_start_fn *, void *);
rt_thrd_create_fn thrd_create;

/** The routine of a thread that has not begun yet. */
struct rt_start {
  uint32_t is_taken;
  void *(*routine)(void *);
  rt_thrd_start_fn *c11_routine;
  void *argument;
};

extern __typeof__(rt_begin_thread) rt_begin_thread __attribute__((weak));
extern __typeof__(rt_attach) rt_attach __attribute__((weak));

#pragma GCC visibility push(hidden)
/** A reference makes the linker include the words for libraries
 * (counting/reserve.h). */
extern const uint8_t rt_reserve_is_here;

/** For a thread about to be made; the caller adds its routine. NULL if there is
 * no runtime or no memory. Runs: handler-safe. */
struct rt_start *rt_start_alloc(void *argument);
#pragma GCC visibility pop

/** First thing in the new thread; start is free again. */
static inline struct rt_start rt_start_begin(struct rt_start *start) {
  const struct rt_start taken = *start;

  rt_store(&start->is_taken, false);
  rt_begin_thread();
  return taken;
}

#endif
