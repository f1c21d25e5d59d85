/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* errno is unchanged after each call, including the first calls of threads. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void *work(void *arg) {
  intptr_t n_wrong = 0;

  (void)arg;
  errno = 12345;
  for (int i = 0; i < 1000; i++) {
    leaf();
    n_wrong += errno != 12345;
  }
  return (void *)n_wrong;
}

int main(void) {
  for (int i = 0; i < 10; i++) {
    pthread_t thread;
    void *n_wrong;
    if (pthread_create(&thread, NULL, work, NULL) ||
        pthread_join(thread, &n_wrong) || n_wrong)
      return 1;
  }
  return 7;
}
