/* 10,000 threads that end by return, pthread_exit() or cancellation: every call
   counts, and memory stays bounded by how many live at once. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: %t
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | FileCheck %s
// CHECK: arc work leaf 1000000
// CHECK: arc work pick 1000000
// CHECK: block pick_counters+8 1000000
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "instrument.h"

enum { N_ROUNDS = 1250, N_AT_ONCE = 8, N_CALLS = 100, MAX_MAPPINGS = 200 };

PICK_DATA

static NOINLINE void leaf(void) { CALLED(leaf); }

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++) {
    leaf();
    pick(i);
  }
  if (arg == (void *)1)
    pthread_exit(NULL);
  if (arg == (void *)2) {
    pthread_cancel(pthread_self());
    pause();
  }
  return NULL;
}

int main(void) {
  int n_mappings = 0;

  for (int round = 0; round < N_ROUNDS; round++) {
    pthread_t threads[N_AT_ONCE];
    for (long i = 0; i < N_AT_ONCE; i++)
      pthread_create(&threads[i], NULL, work, (void *)(i % 3));
    for (int i = 0; i < N_AT_ONCE; i++)
      pthread_join(threads[i], NULL);
  }
  FILE *maps = fopen("/proc/self/maps", "r");
  for (int c; (c = getc(maps)) != EOF;)
    n_mappings += c == '\n';
  fclose(maps);
  if (n_mappings > MAX_MAPPINGS) {
    printf("%d mappings\n", n_mappings);
    return 1;
  }
  return 0;
}
