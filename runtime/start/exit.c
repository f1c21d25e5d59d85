/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Exports _exit() and _Exit() of executables, for libraries to call: a
   framework for tests is a library that forks, runs instrumented code, and ends
   the child by _exit(). In an archive that shared objects are not linked with,
   since in them it would be everybody's, too.

   Weak, for programs and sanitizers that bring their own. */
#include <stdlib.h>
#include <unistd.h>

#include "hooks/exit.h"
#include "hooks/wrap.h"

#define EXPORTED __attribute__((weak, visibility("default")))

EXPORTED _Noreturn void _exit(int status) {
  rt_exit(rt_ops_if_any(), status, false);
}

EXPORTED _Noreturn void _Exit(int status) {
  rt_exit(rt_ops_if_any(), status, true);
}
