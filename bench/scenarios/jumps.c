/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ten million calls; a handler jumps out of them 200 times at 1 kHz. */
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

enum { N_CALLS = 10000000, N_JUMPS = 200 };

static sigjmp_buf back;
static volatile unsigned n_calls, n_jumps;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void handler(int number) {
  (void)number;
  if (n_jumps == N_JUMPS)
    return;
  n_jumps++;
  siglongjmp(back, 1);
}

int main(void) {
  const struct itimerval every = {{0, 1000}, {0, 1000}};

  signal(SIGALRM, handler);
  setitimer(ITIMER_REAL, &every, 0);
  sigsetjmp(back, 1);
  while (n_calls < N_CALLS || n_jumps < N_JUMPS) {
    if (n_calls < N_CALLS) {
      n_calls++;
      leaf();
    }
  }
  return 0;
}
