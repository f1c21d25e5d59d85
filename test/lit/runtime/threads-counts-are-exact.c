/* All calls and blocks of 32 threads that count at once are in the profile,
   including those of threads that still run. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: %t
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | FileCheck %s
// CHECK: marked
// CHECK-NEXT: histograms 1, rate 100
// CHECK: arc work leaf 32000000
// CHECK: arc work pick 32000000
// CHECK: block pick+0 32000000
// CHECK: block pick_1+0 16000000
// CHECK: block pick_2+0 32000000
// CHECK-NOT: block pick
// CHECK: block pick_counters+0 16000000
// CHECK: block pick_counters+8 32000000
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "instrument.h"

enum { N_THREADS = 32, N_CALLS = 1000000 };

static pthread_barrier_t barrier;

PICK_DATA

static NOINLINE void leaf(void) {
  CALLED(leaf);
  __asm__ volatile("");
}

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++) {
    leaf();
    pick(i & 1);
  }
  pthread_barrier_wait(&barrier);
  if (arg)
    pause();
  return NULL;
}

int main(void) {
  pthread_t threads[N_THREADS];

  pthread_barrier_init(&barrier, NULL, N_THREADS + 1);
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, i & 1 ? &barrier : NULL);
  pthread_barrier_wait(&barrier);
  return 0;
}
