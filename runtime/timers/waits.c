/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Computes the time that a thread has waited as the difference of two clocks
   that any thread can read, so that no call has to be interrupted. */
#include <time.h>

#include "os/os.h"
#include "timers/waits.h"

static int64_t remainder; /* of threads that have ended; less than a period */

int64_t rt_waits_cpu_ns(const struct rt_waits *waits) {
  return rt_clock_ns(rt_load(&waits->clock));
}

/* The time that the thread has not used; if it is gone, the last value. The
   clocks are read in this order so that CPU time in between is not taken for a
   wait. */
static int64_t unused(struct rt_waits *waits, int64_t *cpu_ns) {
  const int64_t wall = rt_clock_ns(CLOCK_MONOTONIC);

  *cpu_ns = rt_waits_cpu_ns(waits);
  if (*cpu_ns >= 0)
    rt_store(&waits->seen, wall - *cpu_ns);
  return rt_load(&waits->seen);
}

void rt_waits_begin(struct rt_waits *waits, uint32_t tid) {
  int64_t cpu_ns;

  rt_store(&waits->is_on, false);
  rt_store(&waits->clock, rt_trigger_cpu_clock(tid));
  const int64_t time = unused(waits, &cpu_ns);
  rt_store(&waits->n_taken, 0);
  rt_store(&waits->base, time);
  rt_store(&waits->since, time);
  rt_store(&waits->is_on, true);
}

uint64_t rt_waits_n_new(struct rt_waits *waits, int64_t *cpu_ns) {
  const int64_t period = rt_trigger_period();

  *cpu_ns = -1;
  if (!rt_load(&waits->is_on))
    return 0;
  const int64_t time = unused(waits, cpu_ns) - rt_load(&waits->base);
  const uint64_t n_due = time > 0 ? (uint64_t)(time / period) : 0;
  const uint64_t n_taken = rt_load(&waits->n_taken);
  return n_due > n_taken ? n_due - n_taken : 0;
}

bool rt_waits_collect(struct rt_waits *waits, uint64_t n) {
  uint64_t n_taken = rt_load(&waits->n_taken);

  return rt_load(&waits->is_on) &&
         rt_cas(&waits->n_taken, &n_taken, n_taken + n);
}

uint64_t rt_waits_end(struct rt_waits *waits) {
  const int64_t period = rt_trigger_period();
  int64_t cpu_ns;

  if (!__atomic_exchange_n(&waits->is_on, false, __ATOMIC_ACQ_REL))
    return 0;
  int64_t owed = unused(waits, &cpu_ns) - rt_load(&waits->base) -
                 (int64_t)rt_load(&waits->n_taken) * period;
  owed = owed > 0 ? owed : 0;
  owed += __atomic_exchange_n(&remainder, 0, __ATOMIC_ACQ_REL);
  __atomic_fetch_add(&remainder, owed % period, __ATOMIC_ACQ_REL);
  return (uint64_t)(owed / period);
}

/* In ns. */
static int64_t counted(struct rt_waits *waits) {
  int64_t cpu_ns;

  return rt_load(&waits->earlier) +
         (rt_load(&waits->is_on)
              ? unused(waits, &cpu_ns) - rt_load(&waits->since)
              : 0);
}

void rt_waits_stop(struct rt_waits *waits) {
  if (!rt_load(&waits->is_on))
    return;
  rt_store(&waits->earlier, counted(waits));
  rt_store(&waits->is_on, false);
}

uint64_t rt_waits_n_due(struct rt_waits *waits) {
  const int64_t period = rt_trigger_period();
  const int64_t time = counted(waits);

  return time > 0 ? (uint64_t)((time + period / 2) / period) : 0;
}

void rt_waits_reset(struct rt_waits *waits) {
  int64_t cpu_ns;

  rt_store(&waits->earlier, 0);
  if (rt_load(&waits->is_on))
    rt_store(&waits->since, unused(waits, &cpu_ns));
}

void rt_waits_in_child(struct rt_waits *waits) {
  waits->is_on = false;
  waits->earlier = 0;
  remainder = 0;
}
