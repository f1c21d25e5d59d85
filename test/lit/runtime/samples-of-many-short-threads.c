/* Many threads at a time, each shorter than a period: the time of those that
   were never sampled goes to others, and is not unknown. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t -lpthread
// RUN: %python %S/Inputs/samples.py many_short_threads %t
#include <pthread.h>
#include <stdio.h>

#include "burn.h"

enum { N_ROUNDS = 5, N_THREADS = 200 };

BURN

    static double seconds[N_THREADS];

static void *work(void *arg) {
  *(double *)arg += burn_seconds(0.002);
  return arg;
}

int main(void) {
  pthread_t threads[N_THREADS];
  double sum = 0;

  for (int i = 0; i < N_ROUNDS; i++) {
    for (int j = 0; j < N_THREADS; j++)
      pthread_create(&threads[j], NULL, work, &seconds[j]);
    for (int j = 0; j < N_THREADS; j++)
      pthread_join(threads[j], NULL);
  }
  for (int i = 0; i < N_THREADS; i++)
    sum += seconds[i];
  printf("%.6f\n", sum);
  return 0;
}
