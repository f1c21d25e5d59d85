/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Samples that wait: a handler that runs on a small alternate stack of the
 * program's has no room for another signal's frame above it. SIGPROF is added
 * to what such handlers block, from the time on that there is such a stack; the
 * program is told of its handlers as it set them. */
#ifndef ARCLINE_RT_HELD_H
#define ARCLINE_RT_HELD_H

#include <signal.h>

#include "os/handlers.h"

/** A stack that may have no room for a handler and a sample. */
bool rt_held_is_small(const stack_t *stack);
void rt_held_init(void); /* there is a handler for samples; startup */
/** From now on, samples wait. Runs: handler-safe. */
void rt_held_start(void);
/** In our handler, with the thread's alternate stack: there may be handlers and
 * stacks that nobody told us of. Runs: handler-safe. */
void rt_held_look(const stack_t *stack);
/** Stands for sigaction(), which is real, in the program. Runs: handler-safe.
 */
int rt_held_sigaction(rt_sigaction_fn *real, int number,
                      const struct sigaction *action, struct sigaction *old);

#endif
