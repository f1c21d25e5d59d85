/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Wraps sigaltstack(); see wrap.h. */
#define _GNU_SOURCE
#include "hooks/wrap.h"

rt_sigaltstack_fn __real_sigaltstack, __wrap_sigaltstack;

RT_WRAPS int __wrap_sigaltstack(const stack_t *stack, stack_t *old) {
  const struct rt_process_ops *ops = rt_ops_if_any();

  return ops ? ops->set_stack(__real_sigaltstack, stack, old)
             : __real_sigaltstack(stack, old);
}
