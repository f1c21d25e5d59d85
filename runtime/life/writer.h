/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Serialises readers and writers of the objects' counts: one thread at a
 * time. */
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
/** Let other threads write, and restore signals. is_last: the process ends. */
void rt_writer_leave(const struct rt_signals *signals, bool is_last);
/** Is some thread writing now? Runs: handler-safe. */
bool rt_writer_is_busy(void);

/** Before fork(), with all signals blocked: wait for the thread that writes,
 * for a second at most, and keep others from writing. */
void rt_writer_begin_fork(struct rt_thread *thread);
/** After fork(), in the parent and in the child. */
void rt_writer_end_fork(struct rt_thread *thread);
/** In the child: forget writers, which were threads of the parent. thread: the
 * record of the calling one, or NULL. */
void rt_writer_in_child(const struct rt_thread *thread);

#endif
