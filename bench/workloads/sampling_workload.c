/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Threads of unequal work, and two functions that share it as 3 to 1.
 *
 *   sampling_workload THREADS UNITS
 *
 * Thread n does n + 1 times as much as the first one, all together UNITS, which
 * take some 30 microseconds each. Prints per thread its id, and its CPU seconds
 * in x(), in y() and altogether.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 64, N_STEPS = 25000 };

static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
static long units_of_first;

__attribute__((noinline)) static void x(void) {
  for (int i = 0; i < 3 * N_STEPS; i++)
    __asm__ volatile("");
}

__attribute__((noinline)) static void y(void) {
  for (int i = 0; i < N_STEPS; i++)
    __asm__ volatile("");
}

static double cpu_seconds(void) {
  struct timespec now;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *work(void *arg) {
  const long n = units_of_first * ((long)(size_t)arg + 1);
  double start = cpu_seconds();
  double in_x = 0;
  double in_y = 0;

  for (long i = 0; i < n; i++) {
    x();
    const double middle = cpu_seconds();
    y();
    const double now = cpu_seconds();
    in_x += middle - start;
    in_y += now - middle;
    start = now;
  }
  pthread_mutex_lock(&printing);
  printf("%ld %.6f %.6f %.6f\n", syscall(SYS_gettid), in_x, in_y,
         cpu_seconds());
  pthread_mutex_unlock(&printing);
  return NULL;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1;
  pthread_t threads[MAX_THREADS];

  if (argc != 3 || n < 1 || n > MAX_THREADS)
    return 2;
  units_of_first = 2 * atol(argv[2]) / (n * (n + 1));
  for (int i = 0; i < n; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)(size_t)i))
      return 1;
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
