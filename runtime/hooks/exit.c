/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The _exit() of POSIX; see exit.h. */
#include <unistd.h>

#include "hooks/exit.h"

RT_REPLACES_LIBC _Noreturn void _exit(int status) {
  rt_exit(rt_ops(), status, false);
}
