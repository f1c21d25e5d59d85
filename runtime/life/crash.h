/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** crash=dump: a profile is written when a signal is about to end the program.
 * Without that option nothing here does anything. */
#ifndef ARCLINE_RT_CRASH_H
#define ARCLINE_RT_CRASH_H

#include <signal.h>

#include "os/handlers.h"

/** Take all signals that would end the program; write: what to do then. Runs:
 * startup. */
void rt_crash_init(int (*write)(void));
/** Give them back. Runs: exit. */
void rt_crash_release(void);
void rt_crash_in_child(void); /* in fork()'s child */
/** Signals are taken, so threads need alternate stacks. Runs: hook. */
bool rt_crash_is_on(void);
/** If signals are taken: write, and end the program by this one as if nobody
 * had. Returns whether they are. Runs: handler-safe. */
bool rt_crash_take(int number, siginfo_t *info, void *context);
/** Stand for sigaction() and signal(), which are real, in the program: it sees
 * its own actions, and signals that would end it by default come to us,
 * whatever it does. Run: handler-safe. */
int rt_crash_sigaction(rt_sigaction_fn *real, int number,
                       const struct sigaction *action, struct sigaction *old);
rt_handler_fn *rt_crash_signal(rt_signal_fn *real, int number,
                               rt_handler_fn *handler);
/** If the program is about to be ended by another thread's signal, wait for
 * that: to exit meanwhile would change its status. Runs: exit,
 * handler-safe. */
void rt_crash_wait(void);

#endif
