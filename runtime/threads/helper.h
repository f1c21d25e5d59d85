/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Runs a thread of the runtime, which libc and the program cannot see. It
 * blocks all signals, has no thread-local storage, and ends with the
 * process. */
#ifndef ARCLINE_RT_HELPER_H
#define ARCLINE_RT_HELPER_H

#include <stdbool.h>
#include <stdint.h>

struct rt_helper_job {
  int64_t interval_ns;
  /** Called at intervals, in that thread. Returns false if no work is left
   * until rt_helper_start() is called again. */
  bool (*work)(void);
};

/** Start it with the rights of the calling thread, unless it is there. It
 * leaves when no thread has these rights any more, as after setuid(), also in a
 * process that waits. It does not come back if there is no /proc to compare
 * rights, or if threads have got another filter of system calls. job: kept by
 * pointer. Runs: hook. */
void rt_helper_start(const struct rt_helper_job *job);
/** Returns after it has ended. Runs: exit. */
void rt_helper_stop(void);
void rt_helper_in_child(void); /* in fork()'s child */

#endif
