/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Allocations fail after the first half of the calls, in two threads. */
#include <pthread.h>
#include <sys/resource.h>

static pthread_barrier_t barrier;

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void *work(void *arg) {
  const struct rlimit none = {0, RLIM_INFINITY};

  for (int i = 0; i < 500; i++)
    leaf();
  setrlimit(RLIMIT_AS, &none);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 500; i++)
    leaf();
  return arg;
}

int main(void) {
  const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
  pthread_t thread;

  pthread_barrier_init(&barrier, 0, 2);
  if (pthread_create(&thread, 0, work, 0))
    return 1;
  work(0);
  pthread_join(thread, 0);
  setrlimit(RLIMIT_AS, &all);
  return 7;
}
