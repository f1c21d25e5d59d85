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

/** Give the calling thread an alternate signal stack, if it has none; *memory
 * is the one to use, NULL at first. Runs: hook. */
void rt_alternate_stack_set(void **memory);
/** Undo it, unless the program has set one of its own since. Runs: hook. */
void rt_alternate_stack_unset(const void *memory);
void rt_alternate_stack_unmap(void *memory);

#endif
