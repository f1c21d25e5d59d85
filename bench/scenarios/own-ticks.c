/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Uses SIGPROF and its timer for itself, and counts its ticks. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile sig_atomic_t n_ticks;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void tick(int number) {
  (void)number;
  n_ticks++;
}

int main(void) {
  const struct itimerval each = {{0, 10000}, {0, 10000}};

  signal(SIGPROF, tick);
  setitimer(ITIMER_PROF, &each, NULL);
  while (n_ticks < 20)
    leaf();
  puts("20 ticks");
  return 7;
}
