/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <time.h>

#include "cpu/cpu.h"
#include "life/interval.h"
#include "os/handlers.h"
#include "threads/stack.h"

static struct {
  int64_t length; /* ns; 0: none */
  int64_t due;    /* ns, of the monotonic clock */
  void (*dump)(void);
} interval;

void rt_interval_init(unsigned seconds, void (*dump)(void)) {
  if (!seconds)
    return;
  interval.length = (int64_t)seconds * 1000000000;
  interval.due = rt_clock_ns(CLOCK_MONOTONIC) + interval.length;
  interval.dump = dump;
}

static void run(void *argument) {
  (void)argument;
  interval.dump();
}

void rt_interval_check(void) {
  struct rt_signals signals;

  if (!interval.length)
    return;
  const int64_t time = rt_clock_ns(CLOCK_MONOTONIC);
  int64_t due = rt_load(&interval.due);
  // Times at which no thread ran are left out; the other dumps stay on
  // schedule.
  if (time < due ||
      !rt_cas(&interval.due, &due,
              time + interval.length - (time - due) % interval.length))
    return;
  char *memory = rt_map(RT_STACK_BYTES);
  if (!memory)
    return;
  // Another handler must not interrupt us, or it might never return.
  rt_signals_block(&signals);
  rt_cpu_call_on_stack(memory + RT_STACK_BYTES, run, NULL);
  rt_signals_restore(&signals);
  rt_unmap(memory, RT_STACK_BYTES);
}

void rt_interval_in_child(void) {
  if (interval.length)
    interval.due = rt_clock_ns(CLOCK_MONOTONIC) + interval.length;
}
