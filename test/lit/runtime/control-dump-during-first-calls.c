/* Hundreds of call sites run for the first time in other threads while the
   profile is dumped after a reset: no arc is left out. A missing arc would have
   the subtracted count of the reset, which is below zero. */
// RUN: %arcline-cc -O1 --arcline-calls-only -I%include %s -o %t -lpthread
// RUN: for i in 1 2 3 4 5 6 7 8 9 10; do (ulimit -f 100000; %t) || exit 1; done
// RUN: %arcline gprof -b -p %t | FileCheck %s
// CHECK: {{ 8192 .* leaf$}}
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "arcline/arcline.h"

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

#define CALL_8 leaf(), leaf(), leaf(), leaf(), leaf(), leaf(), leaf(), leaf()
#define CALL_64                                                                \
  CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8, CALL_8
#define CALL_512                                                               \
  CALL_64, CALL_64, CALL_64, CALL_64, CALL_64, CALL_64, CALL_64, CALL_64

enum { N_THREADS = 8, N_DUMPS = 20 };

static pthread_barrier_t barrier;

static void *work(void *arg) {
  leaf();
  pthread_barrier_wait(&barrier); // main resets
  pthread_barrier_wait(&barrier);
  CALL_512;
  CALL_512;
  return arg;
}

int main(void) {
  pthread_t threads[N_THREADS];

  pthread_barrier_init(&barrier, NULL, N_THREADS + 1);
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  leaf();
  pthread_barrier_wait(&barrier);
  arcline_reset();
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < N_DUMPS; i++)
    if (arcline_dump())
      abort();
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
