/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Writes a profile when a signal is about to end the program (crash=dump).
 * Does nothing without that option. */
#ifndef ARCLINE_RT_CRASH_H
#define ARCLINE_RT_CRASH_H

#include <signal.h>

#include "os/handlers.h"

/** Handle all signals that would end the program, by a call of write. Runs:
 * startup. */
void rt_crash_init(int (*write)(void));
/** Stop handling them. Runs: exit. */
void rt_crash_release(void);
void rt_crash_in_child(void); /* in fork()'s child */
/** Are signals handled, so that threads need alternate stacks? Runs: hook. */
bool rt_crash_is_on(void);
/** If signals are handled: write, and end the program by this one as it would
 * have ended. Returns whether they are. Runs: handler-safe. */
bool rt_crash_handle(int number, siginfo_t *info, void *context);
/** Called instead of sigaction() and signal(), which are `real`: the program
 * sees its own actions, and signals that would end it by default always come to
 * us. Run: handler-safe. */
int rt_crash_sigaction(rt_sigaction_fn *real, int number,
                       const struct sigaction *action, struct sigaction *old);
rt_handler_fn *rt_crash_signal(rt_signal_fn *real, int number,
                               rt_handler_fn *handler);
/** If another thread's signal is about to end the program, wait for that: an
 * exit meanwhile would change the program's status. Runs: exit,
 * handler-safe. */
void rt_crash_wait(void);

#endif
