/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Code that uses CPU time, and clocks to measure it, for tests of samples. */
#ifndef BURN_H
#define BURN_H

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/** CPU seconds of the calling thread. */
static inline double cpu_seconds(void) {
  struct timespec now;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline long thread_id(void) { return syscall(SYS_gettid); }

__attribute__((noinline)) void burn(int n);

/** Define burn(), which uses up some n nanoseconds. */
#define BURN                                                                   \
  void burn(int n) {                                                           \
    for (int i = 0; i < n; i++)                                                \
      __asm__ volatile("");                                                    \
  }

/** Burn that many CPU seconds of the calling thread; returns the sum. */
static inline double burn_seconds(double seconds) {
  const double start = cpu_seconds();
  double now = start;

  for (; now < start + seconds; now = cpu_seconds())
    burn(20000);
  return now - start;
}

#endif
