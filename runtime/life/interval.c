/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <sys/syscall.h>
#include <time.h>

#include "cpu/cpu.h"
#include "life/interval.h"
#include "os/handlers.h"
#include "threads/stack.h"

static struct {
  uint64_t length; /* ns; 0: none */
  uint64_t due;    /* ns, of the monotonic clock */
  void (*dump)(void);
} interval;

static uint64_t now(void) {
  struct timespec time = {0};

  rt_sys(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void rt_interval_init(unsigned seconds, void (*dump)(void)) {
  if (!seconds)
    return;
  interval.length = (uint64_t)seconds * 1000000000;
  interval.due = now() + interval.length;
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
  const uint64_t time = now();
  uint64_t due = rt_load(&interval.due);
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
    interval.due = now() + interval.length;
}
