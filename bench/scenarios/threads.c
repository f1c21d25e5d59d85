/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Starts as many threads as the first argument; each makes as many calls as the
   second one, or 100,000. */
#include <pthread.h>
#include <stdlib.h>

enum { MAX_THREADS = 64 };

static int n_calls = 100000;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void *work(void *arg) {
  for (int i = 0; i < n_calls; i++)
    leaf();
  return arg;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1;
  pthread_t threads[MAX_THREADS];

  if (argc > 2)
    n_calls = atoi(argv[2]);
  if (n < 1 || n > MAX_THREADS)
    return 2;
  for (int i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
