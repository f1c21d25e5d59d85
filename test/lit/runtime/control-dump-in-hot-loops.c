/* Loops that do not end by themselves: a profile written by a handler during
   the loop is right to within one iteration, one written by another thread has
   at least the counts before and at most those after it, and a longjmp() loses
   none. This requires that counters are not in registers: promote=off. */
// RUN: echo 'ARCLINE_OPTIONS=_exit=off %t $1 > truth && %check-truth %t %s truth gmon.out' > check
// RUN: echo 'sh check handler && sh check thread && sh check jump' > all
// RUN: echo 'ARCLINE_PASS_OPTIONS=promote=off \
// RUN:   %arcline-cc -I%include %s -o %t -lpthread "$@"' > build
// RUN: sh build -O0 && sh all
// RUN: sh build -O2 && sh all
// RUN: sh build -O3 && sh all
// RUN: %arcline-cc -O2 -I%include %s -o %t -lpthread && sh check jump
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "arcline/arcline.h"

static unsigned long n;
static jmp_buf back;
static int line;

/* One instruction, so that a handler cannot interrupt it. */
#ifdef __x86_64__
#define ADD_1(n) __asm__ volatile("incq %0" : "+m"(n))
#else
#define ADD_1(n) __atomic_fetch_add(&(n), 1, __ATOMIC_RELAXED)
#endif

__attribute__((noinline)) static void loop(unsigned *x) {
  line = __LINE__ + 2;
  for (;;) {
    ADD_1(n);
    *x = *x * 1103515245 + 12345;
  }
}

__attribute__((noinline)) static void loop_until(unsigned long end) {
  line = __LINE__ + 2;
  for (;;) {
    ADD_1(n);
    if (n == end)
      longjmp(back, 1);
  }
}

__attribute__((noreturn)) static void end(unsigned long low,
                                          unsigned long high) {
  printf("line %d %lu %lu\ncalls loop%s 1\n", line, low, high,
         low == high ? "_until" : "");
  fflush(stdout);
  _exit(0);
}

static void handler(int number) {
  (void)number;
  if (n < 1000)
    return;
  if (arcline_dump())
    abort();
  end(n - 1, n + 1);
}

static void *other_thread(void *arg) {
  while (__atomic_load_n(&n, __ATOMIC_RELAXED) < 1000)
    usleep(1000);
  const unsigned long before = __atomic_load_n(&n, __ATOMIC_RELAXED);
  if (arcline_dump())
    abort();
  end(before - 1, __atomic_load_n(&n, __ATOMIC_RELAXED) + 1);
  return arg;
}

int main(int argc, char **argv) {
  const struct itimerval every = {{0, 5000}, {0, 5000}};
  const char *how = argv[argc - 1];
  pthread_t thread;
  static unsigned x;

  if (!strcmp(how, "jump")) {
    if (!setjmp(back))
      loop_until(1000000);
    if (arcline_dump())
      abort();
    end(n, n);
  }
  if (!strcmp(how, "thread")) {
    pthread_create(&thread, NULL, other_thread, NULL);
  } else {
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &every, NULL);
  }
  loop(&x);
  return 0;
}
