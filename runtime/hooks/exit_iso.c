/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Replaces the _Exit() of ISO C; see exit.h. */
#include <stdlib.h>

#include "hooks/exit.h"

RT_REPLACES_LIBC _Noreturn void _Exit(int status) {
  rt_exit(rt_ops(), status, true);
}
