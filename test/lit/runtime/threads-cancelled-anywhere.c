/* Threads are cancelled, at once or at the next point, in the middle of calls
   that are counted for the first time, and while they write profiles. No lock
   stays locked, no count is wrong by more than the cancelled call, and the last
   profile is whole. */
// RUN: %arcline-cc -O2 -I%include %s -o %t -lpthread
// RUN: %t > truth
// RUN: %check-truth %t %s truth gmon.out
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off \
// RUN:   %arcline-cc -O2 -I%include %s -o %t -lpthread
// RUN: %t > truth
// RUN: %check-truth --no-blocks %t %s truth gmon.out
// RUN: ls -A | not grep tmp
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "arcline/arcline.h"

enum { N_ROUNDS = 100 };

static int line;
static unsigned long n_begun, n_ended;

__attribute__((noinline)) static void leaf(void) {
  __asm__ volatile("");
  line = __LINE__ - 1;
}

static void call(void) {
  __atomic_fetch_add(&n_begun, 1, __ATOMIC_RELAXED);
  leaf();
  __atomic_fetch_add(&n_ended, 1, __ATOMIC_RELAXED);
}

#define CALL_8 call(), call(), call(), call(), call(), call(), call(), call()
#define CALL_64 CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8

static void *count_at_once(void *arg) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  for (;;)
    CALL_64, CALL_64, CALL_64, CALL_64;
  return arg;
}

static void *count_until_point(void *arg) {
  for (;;) {
    CALL_64;
    pthread_testcancel();
  }
  return arg;
}

static void *write_until_point(void *arg) {
  for (;;) {
    call();
    if (arcline_dump())
      abort();
    pthread_testcancel();
  }
  return arg;
}

int main(void) {
  void *(*const functions[])(void *) = {count_at_once, count_until_point,
                                        write_until_point};

  for (int i = 0; i < N_ROUNDS; i++) {
    const struct timespec pause = {.tv_nsec = 1000L * (i * 7 % 300)};
    pthread_t threads[3];
    for (int j = 0; j < 3; j++)
      pthread_create(&threads[j], NULL, functions[j], NULL);
    nanosleep(&pause, NULL);
    for (int j = 0; j < 3; j++)
      pthread_cancel(threads[j]);
    for (int j = 0; j < 3; j++)
      pthread_join(threads[j], NULL);
  }
  if (arcline_dump())
    abort();
  // A call is counted before it is made, and thus before n_begun is
  // incremented: each thread that is cancelled at once may be in between for
  // one call.
  printf("calls leaf %lu %lu\n", n_ended, n_begun + N_ROUNDS);
  printf("line %d %lu %lu\n", line, n_ended, n_begun);
  return 0;
}
