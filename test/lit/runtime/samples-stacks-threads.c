/* Stacks of threads begin where threads begin. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t -lpthread
// RUN: %python %S/Inputs/stacks.py chains %t -- \
// RUN:   burn 'libc.so.6>(even|odd)>burn'
// RUN: %arcline-cc -O2 -static -I%S/Inputs %s -o %t -lpthread
// RUN: %python %S/Inputs/stacks.py chains %t -- \
// RUN:   burn '(__)?clone3?>start_thread>(even|odd)>burn'
#include <pthread.h>
#include <stddef.h>

#include "burn.h"

enum { N_THREADS = 8 };

BURN

    static volatile int sink;

static void *even(void *arg) {
  burn(50000000);
  sink++;
  return arg;
}

static void *odd(void *arg) {
  burn(30000000);
  sink--;
  return arg;
}

int main(void) {
  pthread_t threads[N_THREADS];

  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, i % 2 ? odd : even, NULL);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
