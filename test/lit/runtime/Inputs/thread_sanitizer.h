/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Included first if ThreadSanitizer checks the runtime. */
#ifndef THREAD_SANITIZER_H
#define THREAD_SANITIZER_H

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/handlers.h"

/* Its own destructor for threads runs in the last round, and no checked code
   may run after it. */
#undef PTHREAD_DESTRUCTOR_ITERATIONS
#define PTHREAD_DESTRUCTOR_ITERATIONS 3

/* No function is wrapped: it calls sigaction() itself before it is ready. */
#define __real_sigaction sigaction
#define __real_sigaltstack sigaltstack
#define __real_signal signal

/* libc's sigset_t is larger than the kernel's. */
static inline long watched_action(int number, const struct rt_action *action,
                                  struct rt_action *old) {
  struct sigaction libc_action = {0}, libc_old;

  if (action) {
    libc_action.sa_sigaction =
        (void (*)(int, siginfo_t *, void *))(uintptr_t)action->handler;
    libc_action.sa_flags = (int)action->flags;
    memcpy(&libc_action.sa_mask, &action->mask, sizeof(action->mask));
  }
  if (sigaction(number, action ? &libc_action : NULL, &libc_old))
    return -1;
  if (old) {
    old->handler = (uintptr_t)libc_old.sa_sigaction;
    old->flags = (uint64_t)(unsigned)libc_old.sa_flags;
    memcpy(&old->mask, &libc_old.sa_mask, sizeof(old->mask));
  }
  return 0;
}

/* It does not see mappings by plain system calls, and would report accesses of
   two users of an address as a race. Handlers that it does not know run
   immediately, even while it holds locks that they need. */
static inline long watched_syscall(long number, long a, long b, long c, long d,
                                   long e, long f) {
  if (number == SYS_mmap)
    return (long)mmap((void *)a, (size_t)b, (int)c, (int)d, (int)e, f);
  if (number == SYS_munmap)
    return munmap((void *)a, (size_t)b);
  if (number == SYS_rt_sigaction)
    return watched_action((int)a, (const struct rt_action *)b,
                          (struct rt_action *)c);
  return syscall(number, a, b, c, d, e, f);
}

static inline long watched(long number, long a, long b, long c, long d, long e,
                           long f) {
  const int saved = errno;
  const long result = watched_syscall(number, a, b, c, d, e, f);
  const int error = errno;

  errno = saved;
  return result == -1 ? -error : result;
}
#define rt_cpu_syscall watched

#endif
