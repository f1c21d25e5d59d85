/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Who reads or rewrites the objects' counts: one thread at a time. */
#ifndef ARCLINE_RT_WRITER_H
#define ARCLINE_RT_WRITER_H

#include "os/os.h"
#include "threads/threads.h"

/** Wait for other threads that write, and block all signals; scratch memory is
 * open from then on. Returns 0, or -EDEADLK if this thread crashed while
 * writing and now runs the handler, or others took too long. Runs:
 * handler-safe.
 *
 * signals  to restore at the end. */
int rt_writer_enter(struct rt_signals *signals);
/** The end of that. is_last: the process ends. */
void rt_writer_leave(const struct rt_signals *signals, bool is_last);
/** Whether some thread writes just now. Runs: handler-safe. */
bool rt_writer_is_busy(void);

/** Before fork(), with all signals blocked: wait for who writes, for a second
 * at most, and keep others from it. */
void rt_writer_begin_fork(struct rt_thread *thread);
/** Behind fork(), in the parent and in the child. */
void rt_writer_end_fork(struct rt_thread *thread);
/** In the child: forget writers that are not there. thread: the calling one's
 * record, or NULL. */
void rt_writer_in_child(const struct rt_thread *thread);

#endif
