/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Sets signal actions without libc. */
#ifndef ARCLINE_RT_HANDLERS_H
#define ARCLINE_RT_HANDLERS_H

#include <signal.h>

#include "cpu/cpu.h"
#include "os/os.h"

/** The kernel's form of an action; all zero for SIG_DFL. */
struct rt_action {
  uint64_t handler, flags;
#if RT_CPU_ACTION_HAS_RESTORER
  uint64_t restorer;
#endif
  uint64_t mask;
#if !RT_CPU_ACTION_HAS_RESTORER
  uint64_t
      unused; /* emulators have a restorer here, which the kernel does not */
#endif
};

typedef int rt_sigaction_fn(int, const struct sigaction *, struct sigaction *);
typedef void rt_handler_fn(int);
typedef rt_handler_fn *rt_signal_fn(int, rt_handler_fn *);

/** Set a signal's action (NULL: none), and return the previous one in *old,
 * unless NULL. libc's function may take a lock, or be a sanitizer's. Returns 0
 * or a negative errno. Runs: handler-safe. */
int rt_action(int number, const struct rt_action *action,
              struct rt_action *old);
/** An action that calls a function, in the manner of SA_SIGINFO. Runs: hook. */
struct rt_action rt_action_to(void (*function)(int, siginfo_t *, void *),
                              uint64_t flags, uint64_t mask);
/** Put an action in libc's form; the rest of its set of signals is libc's.
 * Runs: handler-safe. */
void rt_action_show(const struct rt_action *action, struct sigaction *out);

#endif
