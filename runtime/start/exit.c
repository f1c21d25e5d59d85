/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* _exit() and _Exit() for executables. Exported, they are everybody's:
   frameworks for tests are libraries that fork, run instrumented code, and end
   the child by _exit(). In the archive of what shared objects are not linked
   with.

   Weak, for programs and sanitizers that bring their own. */
#include <stdlib.h>
#include <unistd.h>

#include "hooks/exit.h"
#include "hooks/wrap.h"

#define EXPORTED __attribute__((weak, visibility("default")))

EXPORTED _Noreturn void _exit(int status) { rt_exit(rt_ops_if_any(), status); }

EXPORTED _Noreturn void _Exit(int status) { rt_exit(rt_ops_if_any(), status); }
