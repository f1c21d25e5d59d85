/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Replaces thrd_create() in executables that are linked with
   --wrap=thrd_create, as arcline-cc does: libc's calls a pthread_create() that
   is not ours. */
#include <stddef.h>

#include "start/start.h"

rt_thrd_create_fn __wrap_thrd_create, __real_thrd_create;

static int begin(void *start) {
  const struct rt_start taken = rt_start_begin(start);

  return taken.c11_routine(taken.argument);
}

__attribute__((weak, visibility("hidden"))) int
__wrap_thrd_create(pthread_t *thread, rt_thrd_start_fn *routine,
                   void *argument) {
  struct rt_start *start = rt_start_alloc(argument);

  if (!start)
    return __real_thrd_create(thread, routine, argument);
  start->c11_routine = routine;
  const int error = __real_thrd_create(thread, begin, start);
  if (error)
    rt_store(&start->is_taken, false);
  return error;
}
