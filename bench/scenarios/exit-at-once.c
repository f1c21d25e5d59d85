/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* 64 threads call functions; two of them call exit() at the same time, while
   main returns. */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t barrier;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void *work(void *arg) {
  for (int i = 0; i < 1000; i++)
    leaf();
  pthread_barrier_wait(&barrier);
  if (arg)
    exit(7);
  for (;;)
    leaf();
}

int main(void) {
  pthread_t thread;

  pthread_barrier_init(&barrier, NULL, 65);
  for (int i = 0; i < 64; i++)
    if (pthread_create(&thread, NULL, work, i < 2 ? &barrier : NULL))
      return 1;
  pthread_barrier_wait(&barrier);
  return 7;
}
