/* 1, 4, 16 and 64 threads, over one hot arc and over 512 of them: each call,
   line and indirect call is counted, in all ways of counting. */
// RUN: echo 'for n in 1 4 16 64; do rm -f gmon.out; %t $n > truth || exit 1' \
// RUN:   > check
// RUN: echo '%check-truth "$@" %t %s truth gmon.out || exit 1; done' >> check
// RUN: %arcline-cc -O2 %s -o %t -lpthread
// RUN: sh check
// RUN: %arcline-cc -O0 %s -o %t -lpthread
// RUN: sh check
// RUN: %arcline-cc -O2 --arcline-calls-only %s -o %t -lpthread
// RUN: sh check --no-blocks
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-cc -O2 %s \
// RUN:   -o %t -lpthread
// RUN: sh check --no-blocks
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_CALLS = 50000, N_ROUNDS = 100, MAX_THREADS = 64 };

static int line;
static pthread_barrier_t barrier;

__attribute__((noinline)) static void hot(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void spread(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void first(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void second(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void third(void) { __asm__ volatile(""); }

static void (*volatile const by_pointer[])(void) = {first, second, third};

#define CALL_8                                                                 \
  spread(), spread(), spread(), spread(), spread(), spread(), spread(), spread()
#define CALL_64 CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8

static void *work(void *arg) {
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < N_CALLS; i++) {
    hot();
    by_pointer[i % 3]();
  }
  for (int i = 0; i < N_ROUNDS; i++) {
    CALL_64, CALL_64, CALL_64, CALL_64, CALL_64, CALL_64, CALL_64, CALL_64;
    line = __LINE__ - 1;
  }
  return arg;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1;
  pthread_t threads[MAX_THREADS];

  pthread_barrier_init(&barrier, NULL, (unsigned)n);
  for (int i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  printf("calls hot %d\ncalls spread %d\n", n * N_CALLS, n * N_ROUNDS * 512);
  printf("calls first %d\n", n * ((N_CALLS + 2) / 3));
  printf("calls second %d\n", n * ((N_CALLS + 1) / 3));
  printf("calls third %d\n", n * (N_CALLS / 3));
  printf("line %d %d\n", line, n * N_ROUNDS);
  return 0;
}
