/* Samples times period is the CPU time of the process and of each thread,
   whatever the rate, with threads of unequal work; the share of each function
   is that of its work. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t -lpthread
// RUN: %python %S/Inputs/samples.py cpu_time %t 100 1
// RUN: %python %S/Inputs/samples.py cpu_time %t 1000 16
// RUN: %python %S/Inputs/samples.py cpu_time %t 10000 4
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "burn.h"

enum { MAX_THREADS = 16, N_STEPS = 20000 };

static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
static double first_seconds;

__attribute__((noinline)) static void x(void) {
  for (int i = 0; i < 3 * N_STEPS; i++)
    __asm__ volatile("");
}

__attribute__((noinline)) static void y(void) {
  for (int i = 0; i < N_STEPS; i++)
    __asm__ volatile("");
}

/* Thread n works n + 1 times as long as the first one. */
static void *work(void *arg) {
  const double end = first_seconds * (double)((size_t)arg + 1);
  double in_x = 0;
  double in_y = 0;

  for (double start = cpu_seconds(); start < end;) {
    x();
    const double middle = cpu_seconds();
    y();
    const double now = cpu_seconds();
    in_x += middle - start;
    in_y += now - middle;
    start = now;
  }
  pthread_mutex_lock(&printing);
  printf("%ld %.6f %.6f\n", thread_id(), in_x, in_y);
  pthread_mutex_unlock(&printing);
  return NULL;
}

int main(int argc, char **argv) {
  const int n = atoi(argv[argc - 1]);
  pthread_t threads[MAX_THREADS];

  first_seconds = 2 * 1.5 / (n * (n + 1));
  if (n == 1) {
    work(NULL);
    return 0;
  }
  for (int i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, work, (void *)(size_t)i);
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
