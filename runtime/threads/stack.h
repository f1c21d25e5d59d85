/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Provides stacks for handlers that write a profile, which need more than the
 * program may have left. */
#ifndef ARCLINE_RT_STACK_H
#define ARCLINE_RT_STACK_H

#include <signal.h>
#include <stdbool.h>

enum { RT_STACK_BYTES = 64 * 1024 }; /* enough to write a profile */

typedef int rt_sigaltstack_fn(const stack_t *, stack_t *);

/** An alternate stack of the runtime. */
struct rt_signal_stack {
  void *memory;   /* or NULL; kept for the next thread */
  bool is_wanted; /* by the thread, or one that had it before */
  bool is_set;    /* to a thread that had none, or one without room */
  stack_t own;    /* the thread's own, now or before; valid if is_set */
};

size_t rt_alternate_stack_bytes(void);
/** Give the calling thread an alternate stack, if it has none with room for a
   sample. Samples then need no room on stacks of the program. Runs: hook.
 */
void rt_alternate_stack_set(struct rt_signal_stack *mine);
/** Replaces sigaltstack(), which is real, in the program: it does not see the
 * runtime's stack. Runs: handler-safe. */
int rt_alternate_stack_change(struct rt_signal_stack *mine,
                              rt_sigaltstack_fn *real, const stack_t *stack,
                              stack_t *old);
/** Undo rt_alternate_stack_set(), unless the program has set one of its own
 * since. Runs: hook. */
void rt_alternate_stack_unset(struct rt_signal_stack *mine);
void rt_alternate_stack_unmap(struct rt_signal_stack *mine);

#endif
