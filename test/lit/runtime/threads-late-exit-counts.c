/* Destructors of thread-specific data run instrumented code until the last
   round, when the runtime's own destructor has already released the thread's
   memory. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: %t
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | FileCheck %s
// CHECK: arc at_exit_of_thread leaf 1600000
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "instrument.h"

enum { N_ROUNDS = 100, N_AT_ONCE = 4, N_CALLS = 1000 };

static pthread_key_t key;

static NOINLINE void leaf(void) { CALLED(leaf); }

static void at_exit_of_thread(void *value) {
  for (int i = 0; i < N_CALLS; i++) {
    leaf();
    __asm__ volatile("");
  }
  pthread_setspecific(key, value);
}

static void *work(void *arg) {
  leaf();
  pthread_setspecific(key, arg);
  return NULL;
}

int main(void) {
  pthread_key_create(&key, at_exit_of_thread);
  for (int round = 0; round < N_ROUNDS; round++) {
    pthread_t threads[N_AT_ONCE];
    for (long i = 0; i < N_AT_ONCE; i++)
      pthread_create(&threads[i], NULL, work, &key);
    for (int i = 0; i < N_AT_ONCE; i++)
      pthread_join(threads[i], NULL);
  }
  return PTHREAD_DESTRUCTOR_ITERATIONS != 4;
}
