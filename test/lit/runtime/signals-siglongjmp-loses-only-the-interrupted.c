/* A handler that leaves by siglongjmp() may lose the one call that it
   interrupted, never a later one. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: %t > truth
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out > seen
// RUN: awk 'NR == FNR { calls = $1; jumps = $2; next } \
// RUN:      $3 == "callee" { n += $4 } \
// RUN:      END { print n, calls, jumps; exit n > calls || n < calls - jumps }' \
// RUN:   truth seen
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

#include "instrument.h"

enum { N_JUMPS = 1000 };

static sigjmp_buf back;
static volatile unsigned long n_calls;
static volatile unsigned long n_jumps;

static NOINLINE void callee(void) {
  CALLED(callee);
  n_calls++;
}

static void handler(int number) {
  (void)number;
  n_jumps++;
  siglongjmp(back, 1);
}

int main(void) {
  const struct itimerval every = {{0, 500}, {0, 500}};

  signal(SIGALRM, handler);
  // Not before setjmp(): a busy machine may take long.
  if (!sigsetjmp(back, 1))
    setitimer(ITIMER_REAL, &every, NULL);
  while (n_jumps < N_JUMPS)
    callee();
  setitimer(ITIMER_REAL, &(const struct itimerval){0}, NULL);
  // A jump between counting and n_calls++ makes a call that only the profile
  // has.
  printf("%lu %lu\n", n_calls + n_jumps, 2 * n_jumps);
  return 0;
}
