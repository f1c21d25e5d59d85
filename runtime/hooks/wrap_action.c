/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Wraps sigaction(); see wrap.h. */
#define _GNU_SOURCE
#include "hooks/wrap.h"

rt_sigaction_fn __real_sigaction, __wrap_sigaction;

RT_WRAPS int __wrap_sigaction(int number, const struct sigaction *action,
                              struct sigaction *old) {
  const struct rt_process_ops *ops = rt_ops_if_any();

  return ops ? ops->set_action(__real_sigaction, number, action, old)
             : __real_sigaction(number, action, old);
}
