/* The only system calls of the handler of samples read a clock and set a timer:
   it never waits for a lock. With call stacks it reads memory, too, and the
   list of mappings. Samples interrupt malloc(), printf() and starts of
   threads. */
// REQUIRES: strace
// RUN: %arcline-cc -O2 %s -o %t -lpthread
// RUN: env ARCLINE_OPTIONS=hz=10000:stacks=off strace -f -o log %t > output
// RUN: %python %S/Inputs/calls_in_handler.py log | FileCheck %s
// CHECK: {{^[1-9][0-9]* signals: clock_gettime rt_sigreturn timer_settime$}}
// RUN: env ARCLINE_OPTIONS=hz=10000:stacks=on strace -f -o log %t > output
// RUN: %python %S/Inputs/calls_in_handler.py log | FileCheck --check-prefix=STACKS %s
// STACKS: {{^[1-9][0-9]* signals: clock_gettime( close)?( gettid)?( lseek)?( openat)?( process_vm_readv)?( read)? rt_sigreturn timer_settime$}}
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_ROUNDS = 50, N_THREADS = 4, N_BLOCKS = 2000 };

static void *work(void *arg) {
  void *blocks[N_BLOCKS];

  for (size_t i = 0; i < N_BLOCKS; i++)
    blocks[i] = malloc(i % 512 + 1);
  printf("%p\n", blocks[N_BLOCKS / 2]);
  for (size_t i = 0; i < N_BLOCKS; i++)
    free(blocks[i]);
  return arg;
}

int main(void) {
  for (int i = 0; i < N_ROUNDS; i++) {
    pthread_t threads[N_THREADS];
    for (int j = 0; j < N_THREADS; j++)
      pthread_create(&threads[j], NULL, work, NULL);
    for (int j = 0; j < N_THREADS; j++)
      pthread_join(threads[j], NULL);
  }
  return 0;
}
