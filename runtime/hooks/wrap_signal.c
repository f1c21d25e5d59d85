/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Wraps signal(); see wrap.h. */
#define _GNU_SOURCE
#include "hooks/wrap.h"

rt_signal_fn __real_signal, __wrap_signal;

RT_WRAPS rt_handler_fn *__wrap_signal(int number, rt_handler_fn *handler) {
  const struct rt_process_ops *ops = rt_ops_if_any();

  return ops ? ops->set_handler(__real_signal, number, handler)
             : __real_signal(number, handler);
}
