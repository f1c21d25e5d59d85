/* A handler leaves counted code by siglongjmp() at 1 kHz, at any place: each
   jump changes the count of at most one call or line by one. */
// RUN: echo '%t > truth && %check-truth "$@" %t %s truth gmon.out' > check
// RUN: %arcline-cc -O2 %s -o %t
// RUN: sh check
// RUN: %arcline-cc -O0 %s -o %t
// RUN: sh check
// RUN: %arcline-cc -O2 --arcline-calls-only %s -o %t
// RUN: sh check --no-blocks
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-cc -O2 %s \
// RUN:   -o %t
// RUN: sh check --no-blocks
// RUN: env ARCLINE_PASS_OPTIONS=promote=off %arcline-cc -O2 -DPLAIN_LOOP %s \
// RUN:   -o %t
// RUN: sh check
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

enum { N_JUMPS = 150 };

static sigjmp_buf back;
static unsigned long n_calls, n_lines;
static unsigned line;
static volatile int n_jumps;
static unsigned long sums[64];

/* In one instruction, so that memory agrees with the work done. */
static inline void add(unsigned long *to) {
#ifdef __x86_64__
  __asm__ volatile("incq %0" : "+m"(*to));
#else
  __atomic_fetch_add(to, 1, __ATOMIC_RELAXED);
#endif
}

__attribute__((noinline)) static void callee(unsigned i) {
  add(&n_calls);
  sums[i % 64] += i;
}

static void handler(int number) {
  (void)number;
  n_jumps++;
  siglongjmp(back, 1);
}

__attribute__((noinline)) static void loop(void) {
  for (unsigned i = 0; n_jumps < N_JUMPS; i++) {
    callee(i);
    if (i % 3 == 0) {
      add(&n_lines), line = __LINE__;
    }
#ifdef PLAIN_LOOP
    for (unsigned k = 0; k < 100; k++)
      sums[k % 64] ^= sums[(k + i) % 64];
#endif
  }
}

int main(void) {
  const struct itimerval every = {{0, 1000}, {0, 1000}};

  signal(SIGALRM, handler);
  // Not before setjmp(): a busy machine may take long.
  if (!sigsetjmp(back, 1))
    setitimer(ITIMER_REAL, &every, NULL);
  loop();
  setitimer(ITIMER_REAL, &(const struct itimerval){0}, NULL);
  printf("calls callee %lu %lu\n", n_calls - N_JUMPS, n_calls + N_JUMPS);
  printf("line %u %lu %lu\n", line, n_lines - N_JUMPS, n_lines + N_JUMPS);
  return 0;
}
