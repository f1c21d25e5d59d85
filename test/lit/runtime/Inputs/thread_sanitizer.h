/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Included first where ThreadSanitizer watches the runtime. */
#ifndef THREAD_SANITIZER_H
#define THREAD_SANITIZER_H

#include <limits.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Its own destructor for threads runs in the last round, and after it no
   watched code may. */
#undef PTHREAD_DESTRUCTOR_ITERATIONS
#define PTHREAD_DESTRUCTOR_ITERATIONS 3

/* It does not see memory come and go by plain system calls, and would take what
   two users of an address do for a race. */
static inline long watched_syscall(long number, long a, long b, long c, long d,
                                   long e, long f) {
  if (number == SYS_mmap)
    return (long)mmap((void *)a, (size_t)b, (int)c, (int)d, (int)e, f);
  if (number == SYS_munmap)
    return munmap((void *)a, (size_t)b);
  return syscall(number, a, b, c, d, e, f);
}
#define WATCHED_SYSCALL(number, a, b, c, d, e, f, ...)                         \
  watched_syscall((long)(number), (long)(a), (long)(b), (long)(c), (long)(d),  \
                  (long)(e), (long)(f))
#define syscall(...) WATCHED_SYSCALL(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

#endif
