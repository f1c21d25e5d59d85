/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* sigaction() and sigaltstack() for objects that are linked with
   --wrap=sigaction and --wrap=sigaltstack, as arcline-cc does. What the linker
   calls real is what the object would call without that, be it libc's or a
   sanitizer's.

   Weak, for programs that wrap them, too. Asks for nothing else of the runtime:
   a program without instrumented code gets only this. */
#define _GNU_SOURCE
#include <signal.h>

#include "life/process.h"

#define WRAPS __attribute__((weak, visibility("hidden")))

rt_sigaction_fn __real_sigaction, __wrap_sigaction;
rt_sigaltstack_fn __real_sigaltstack, __wrap_sigaltstack;
extern __typeof__(rt_ops) rt_ops __attribute__((weak));

static const struct rt_process_ops *ops_if_any(void) {
  return rt_ops ? rt_ops() : NULL;
}

WRAPS int __wrap_sigaction(int number, const struct sigaction *action,
                           struct sigaction *old) {
  const struct rt_process_ops *ops = ops_if_any();

  return ops ? ops->set_action(__real_sigaction, number, action, old)
             : __real_sigaction(number, action, old);
}

WRAPS int __wrap_sigaltstack(const stack_t *stack, stack_t *old) {
  const struct rt_process_ops *ops = ops_if_any();

  return ops ? ops->set_stack(__real_sigaltstack, stack, old)
             : __real_sigaltstack(stack, old);
}
