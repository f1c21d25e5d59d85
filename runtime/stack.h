/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Stacks: handlers that write a profile need more of it than the program may
 * have left. */
#ifndef ARCLINE_RT_STACK_H
#define ARCLINE_RT_STACK_H

#include "os.h"

enum { RT_STACK_BYTES = 64 * 1024 }; /* enough to write a profile */

/** Call function(argument) on the stack that ends at top. Runs:
 * handler-safe. */
void rt_call_on_stack(void *top, void (*function)(void *), void *argument);

/** An alternate stack of ours. */
struct rt_signal_stack {
  void *memory;  /* or NULL; kept for the next thread */
  bool is_given; /* to a thread that had none */
};

/** Give the calling thread an alternate stack, if it has none. Samples then
 * need no room on stacks of the program's. Runs: hook. */
void rt_alternate_stack_set(struct rt_signal_stack *mine);
/** Undo it, unless the program has set one of its own since. Runs: hook. */
void rt_alternate_stack_unset(struct rt_signal_stack *mine);
void rt_alternate_stack_unmap(struct rt_signal_stack *mine);

#endif
