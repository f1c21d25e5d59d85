/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* 50 children with 1,000 calls each, forked while eight threads call. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_THREADS = 8, N_CHILDREN = 50, N_CALLS = 1000 };

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void in_child(void) {
  __asm__ volatile("# in_child");
}

static void *work(void *arg) {
  for (;;)
    leaf();
  return arg;
}

int main(void) {
  pthread_t thread;

  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&thread, 0, work, 0);
  for (int i = 0; i < N_CHILDREN; i++) {
    if (fork() == 0) {
      for (int k = 0; k < N_CALLS; k++)
        in_child();
      exit(0);
    }
    wait(0);
  }
  return 0;
}
