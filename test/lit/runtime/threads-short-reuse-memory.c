/* 10,000 threads that end by return, pthread_exit() or cancellation: every call
   is counted, and memory (mappings, address space, resident pages) is bounded
   by the number of threads at a time. With an argument: as many rounds. */
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

/* Pages. On a busy machine, all threads of a round may run at a time only
   later: each then takes memory for the first time. A page for each thread is
   more. */
enum { MAX_GROWTH = N_AT_ONCE * 128, MAX_RESIDENT = 4096 };

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

/* The number of pages of the process, and how many of them are in memory. */
static void measure(long *n_pages, long *n_resident) {
  FILE *file = fopen("/proc/self/statm", "r");

  if (!file || fscanf(file, "%ld %ld", n_pages, n_resident) != 2)
    abort();
  fclose(file);
}

int main(int argc, char **argv) {
  const int n_rounds = argc > 1 ? atoi(argv[1]) : N_ROUNDS;
  int n_mappings = 0;
  long n_pages[2], n_resident[2];

  for (int round = 0; round < n_rounds; round++) {
    if (round == n_rounds / 10)
      measure(&n_pages[0], &n_resident[0]);
    pthread_t threads[N_AT_ONCE];
    for (long i = 0; i < N_AT_ONCE; i++)
      pthread_create(&threads[i], NULL, work, (void *)(i % 3));
    for (int i = 0; i < N_AT_ONCE; i++)
      pthread_join(threads[i], NULL);
  }
  measure(&n_pages[1], &n_resident[1]);
  fprintf(stderr,
          "%ld KiB of address space, %ld KiB more than early on; %ld KiB"
          " in memory\n",
          4 * n_pages[1], 4 * (n_pages[1] - n_pages[0]), 4 * n_resident[1]);
  if (n_pages[1] - n_pages[0] > MAX_GROWTH || n_resident[1] > MAX_RESIDENT)
    return 1;
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
