/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Replaces _exit() and _Exit(), which run no exit handlers. The linker takes
 * each of them from the runtime if the program itself calls it, so that a
 * profile can be written there (_exit=dump); otherwise they do the same as
 * libc's, or call those of a library that replaces them.
 *
 * Hidden: a library's _exit() must not become that of the whole program. Weak,
 * and in separate files: another definition, such as that of a sanitizer's
 * runtime, takes precedence. */
#ifndef ARCLINE_RT_EXIT_H
#define ARCLINE_RT_EXIT_H

#include <sys/syscall.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "life/process.h"

#define RT_REPLACES_LIBC __attribute__((weak, visibility("hidden")))

/* ops  null in a program without instrumented code */
static inline __attribute__((always_inline)) _Noreturn void
rt_exit(const struct rt_process_ops *ops, int status, bool is_iso) {
  if (ops) {
    ops->before_exit();
    rt_exit_fn *const next = ops->next_exit(is_iso);
    if (next)
      next(status);
  }
  for (;;)
    // The program's own, so never blocked.
    rt_cpu_syscall(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

#endif
