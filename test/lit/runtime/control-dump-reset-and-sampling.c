/* arcline_dump() and arcline_reset() while threads count: no call is lost or
   counted twice. The traditional names do no harm. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: %t
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | FileCheck %s
// CHECK-NOT: arc main before
// CHECK: arc main leaf 5
// CHECK: arc work leaf 4000000
// CHECK-NOT: before
// CHECK: block pick_1+0 4000000
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "arcline/arcline.h"
#include "instrument.h"

enum { N_THREADS = 4, N_CALLS = 1000000 };

static pthread_barrier_t barrier;

PICK_DATA

static NOINLINE void leaf(void) { CALLED(leaf); }
static NOINLINE void before(void) { CALLED(before); }

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++) {
    leaf();
    pick(1);
  }
  pthread_barrier_wait(&barrier); // main resets
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < N_CALLS; i++) {
    leaf();
    pick(1);
  }
  return arg;
}

int main(void) {
  pthread_t threads[N_THREADS];

  pthread_barrier_init(&barrier, NULL, N_THREADS + 1);
  monstartup(0, 1);
  before();
  pick(0);
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 10; i++)
    if (arcline_dump())
      abort();
  pthread_barrier_wait(&barrier);
  arcline_reset();
  arcline_reset();
  pthread_barrier_wait(&barrier);
  moncontrol(0);
  arcline_start();
  arcline_stop();
  for (int i = 0; i < 5; i++) {
    leaf();
    if (arcline_dump())
      abort();
  }
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  if (access("gmon.out", R_OK))
    abort();
  _mcleanup();
  _mcleanup();
  return 0;
}
