/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Waits and uses CPU time in turn, in two threads; counts waits that a signal
   interrupted. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static int n_interrupted;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void *burn(void *arg) {
  const clock_t end = clock() + CLOCKS_PER_SEC / 2;

  while (clock() < end)
    leaf();
  return arg;
}

int main(void) {
  const struct timespec pause = {.tv_nsec = 1000000};
  pthread_t thread;

  pthread_create(&thread, NULL, burn, NULL);
  for (int i = 0; i < 100; i++) {
    n_interrupted += poll(NULL, 0, 1) < 0 && errno == EINTR;
    n_interrupted += nanosleep(&pause, NULL) < 0 && errno == EINTR;
    for (int j = 0; j < 100000; j++)
      leaf();
  }
  pthread_join(thread, NULL);
  printf("%d interrupted\n", n_interrupted);
  return 7;
}
