/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Defers samples while a handler of the program runs on an alternate stack
 * that is too small for another signal's frame. From the first such stack on,
 * SIGPROF is added to the mask of these handlers; sigaction() still reports to
 * the program the mask that it set. */
#ifndef ARCLINE_RT_DEFER_SAMPLES_H
#define ARCLINE_RT_DEFER_SAMPLES_H

#include <signal.h>

#include "os/handlers.h"

/** Is the stack too small for a handler and a sample? */
bool rt_defer_is_small(const stack_t *stack);
void rt_defer_init(void); /* a handler for samples is installed; startup */
/** Start to defer samples. Runs: handler-safe. */
void rt_defer_start(void);
/** In the handler of samples, with the thread's alternate stack: find stacks
 * and handlers that were set without calls of these functions. Runs:
 * handler-safe. */
void rt_defer_check(const stack_t *stack);
/** Called instead of sigaction(), which is `real`. Runs: handler-safe. */
int rt_defer_sigaction(rt_sigaction_fn *real, int number,
                       const struct sigaction *action, struct sigaction *old);

#endif
