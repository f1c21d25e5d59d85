/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Three hundred threads are cancelled in the middle of their calls. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void *work(void *arg) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  for (;;)
    leaf();
  return arg;
}

int main(void) {
  for (int i = 0; i < 300; i++) {
    const struct timespec pause = {.tv_nsec = i * 1000};
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL))
      return 1;
    nanosleep(&pause, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
  }
  puts("done");
  return 7;
}
