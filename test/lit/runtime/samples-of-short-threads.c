/* Threads that run for less than a period get their share of samples: the
   remaining time of one is passed on to the next. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t -lpthread
// RUN: %python %S/Inputs/samples.py short_threads %t
#include <pthread.h>
#include <stdio.h>

#include "burn.h"

enum { N_THREADS = 3000 };

BURN

    static double seconds;

static void *work(void *arg) {
  seconds += burn_seconds(0.0004);
  return arg;
}

int main(void) {
  for (int i = 0; i < N_THREADS; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
  }
  printf("%.6f\n", seconds);
  return 0;
}
