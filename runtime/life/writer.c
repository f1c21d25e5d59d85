/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

#include "life/writer.h"
#include "os/scratch.h"
#include "sample/sampler.h"

enum {
  WAIT_NS = 1000000, /* between checks whether another writer is done */
  MAX_WAITS = 10000,
  FORK_WAIT_NS = 50000, /* the program waits, perhaps for another fork() */
  MAX_FORK_WAITS = 20000,
};

static uint32_t writer;    /* thread id, or 0 */
static uint32_t n_to_fork; /* threads that wait for the writer in fork() */

/* All signals are blocked, so the owner never sleeps for long. A writer that
   fork() waits for comes first, since the program waits with it. */
static int become_writer(bool is_forking) {
  const struct timespec pause = {.tv_nsec =
                                     is_forking ? FORK_WAIT_NS : WAIT_NS};
  const int max_waits = is_forking ? MAX_FORK_WAITS : MAX_WAITS;
  struct rt_thread *thread = rt_thread_known();
  const uint32_t tid = thread ? rt_thread_tid(thread) : rt_tid();

  for (int i = 0; i < max_waits; i++) {
    uint32_t owner = rt_load(&writer);
    if (owner == tid && thread && thread->is_fork_writer) {
      thread->is_fork_writer = false; // a handler of fork() writes
      return 0;
    }
    if (owner == tid)
      break;
    if (!owner && (is_forking || !rt_load(&n_to_fork)) &&
        rt_cas(&writer, &owner, tid)) {
      rt_scratch_open();
      return 0;
    }
    rt_sys(SYS_nanosleep, (long)&pause, 0, 0, 0, 0);
  }
  return -EDEADLK;
}

static void cease_to_write(bool is_last) {
  rt_scratch_close(is_last);
  rt_store(&writer, 0);
}

int rt_writer_enter(struct rt_signals *signals) {
  rt_signals_block(signals);
  const int rc = become_writer(false);

  if (rc)
    rt_signals_restore(signals);
  else
    rt_sampler_begin_own();
  return rc;
}

void rt_writer_leave(const struct rt_signals *signals, bool is_last) {
  rt_sampler_end_own();
  cease_to_write(is_last);
  rt_signals_restore(signals);
}

bool rt_writer_is_busy(void) { return rt_load(&writer) != 0; }

void rt_writer_begin_fork(struct rt_thread *thread) {
  __atomic_fetch_add(&n_to_fork, 1, __ATOMIC_RELAXED);
  thread->is_fork_writer = become_writer(true) == 0;
  __atomic_fetch_sub(&n_to_fork, 1, __ATOMIC_RELAXED);
}

void rt_writer_end_fork(struct rt_thread *thread) {
  if (thread->is_fork_writer)
    cease_to_write(false);
  thread->is_fork_writer = false;
}

void rt_writer_in_child(const struct rt_thread *thread) {
  if (!thread || !thread->is_fork_writer)
    cease_to_write(false);
  n_to_fork = 0;
}
