/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Measures the time that threads wait, with clock=wall: wall-clock time less
 * the thread's CPU time, which has a trigger. */
#ifndef ARCLINE_RT_WAITS_H
#define ARCLINE_RT_WAITS_H

#include "timers/trigger.h"

/** Of one thread. Zeroed memory is a thread that has not begun. */
struct rt_waits {
  bool is_on;
  int clock;        /* of its CPU time */
  int64_t base;     /* time not used when sample number 0 was due */
  uint64_t n_taken; /* samples */
  int64_t since;    /* time not used when it began to be counted, */
  int64_t seen;     /* and when it was read last */
  int64_t earlier;  /* of the same thread, before it was stopped */
};

/** Count the waits of a thread from now on. Runs: hook. */
void rt_waits_begin(struct rt_waits *waits, uint32_t tid);
/** Pause counting. Runs: handler-safe. */
void rt_waits_stop(struct rt_waits *waits);
/** The calling thread ends. Returns the number of samples that are still due,
 * with parts that earlier threads left. Runs: hook. */
uint64_t rt_waits_end(struct rt_waits *waits);
/** The number of samples that are due since the last time; *cpu_ns is the
 * thread's CPU time then: as long as that is the same, it waits. They stay due
 * until rt_waits_collect(). Runs: hook. */
uint64_t rt_waits_n_new(struct rt_waits *waits, int64_t *cpu_ns);
/** The thread's CPU time, or -1 if it is gone. Runs: hook. */
int64_t rt_waits_cpu_ns(const struct rt_waits *waits);
/** Collect n of them; false: another thread has the record now. Runs: hook. */
bool rt_waits_collect(struct rt_waits *waits, uint64_t n);
/** The number of samples that its waits amount to, rounded. Runs: hook. */
uint64_t rt_waits_n_due(struct rt_waits *waits);
/** rt_waits_n_due() starts from zero again. Runs: handler-safe. */
void rt_waits_reset(struct rt_waits *waits);
/** Nothing is counted or due any more. Runs: in fork()'s child. */
void rt_waits_in_child(struct rt_waits *waits);

#endif
