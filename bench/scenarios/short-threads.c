/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* 10,000 threads, eight at a time, of 100 calls each. */
#include <pthread.h>

enum { N_ROUNDS = 1250, N_AT_ONCE = 8, N_CALLS = 100 };

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++)
    leaf();
  return arg;
}

int main(void) {
  for (int round = 0; round < N_ROUNDS; round++) {
    pthread_t threads[N_AT_ONCE];
    for (int i = 0; i < N_AT_ONCE; i++)
      pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < N_AT_ONCE; i++)
      pthread_join(threads[i], 0);
  }
  return 0;
}
