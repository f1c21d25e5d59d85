/* Counts that come after a process has added to its pool are added once more,
   whoever counted before: the main thread, in whose memory they are set to
   zero, or another one that is still there, from whose counts the former are
   subtracted. */
// RUN: %arcline-cc -O1 -fPIC -shared -DLIBRARY %s -o libwork.so
// RUN: %clang -O1 %s -o host -pthread -Wl,-rpath,$PWD -L. -lwork
// RUN: %arcline-cc -O1 %s -o counted -pthread -Wl,-rpath,$PWD -L. -lwork
// RUN: for i in host counted; do for j in main thread both; do \
// RUN:   for k in 1 2 3; do env ARCLINE_OPTIONS=out=$i-$j/%%m ./$i $j; done; \
// RUN:   %arcline merge -o $i-$j.out $i-$j/libwork.so.*; \
// RUN:   %arcline gprof -b -p libwork.so $i-$j.out > $i-$j.txt; done; done
// 100 calls of work() by each thread, 10 by the destructor, in three processes.
// RUN: for i in host counted; do cat $i-main.txt | FileCheck %s; \
// RUN:   cat $i-thread.txt | FileCheck %s; \
// RUN:   cat $i-both.txt | FileCheck %s -check-prefix=BOTH; done
// CHECK-DAG: {{ 330 .* leaf_a$}}
// CHECK-DAG: {{ 330 .* leaf_b$}}
// CHECK-DAG: {{ 330 .* leaf_c$}}
// CHECK-DAG: {{ 330 .* leaf_d$}}
// BOTH-DAG: {{ 630 .* leaf_a$}}
// BOTH-DAG: {{ 630 .* leaf_b$}}
// BOTH-DAG: {{ 630 .* leaf_c$}}
// BOTH-DAG: {{ 630 .* leaf_d$}}
#ifdef LIBRARY
#define LEAF(name)                                                             \
  __attribute__((noinline)) static void name(void) { __asm__ volatile(""); }
LEAF(leaf_a)
LEAF(leaf_b)
LEAF(leaf_c)
LEAF(leaf_d)

static void (*const volatile leaves[])(void) = {leaf_a, leaf_b, leaf_c, leaf_d};

// The third callee of a call site and others are counted in a table.
__attribute__((noinline)) void work(int n) {
  (void)n;
  for (int i = 0; i < 4; i++)
    leaves[i]();
}

__attribute__((destructor)) static void end(void) {
  for (int i = 0; i < 10; i++)
    work(i);
}
#else
#include <pthread.h>
#include <string.h>
#include <unistd.h>

void work(int n);

static pthread_barrier_t done;

static void *run(void *unused) {
  for (int i = 0; i < 100; i++)
    work(i);
  pthread_barrier_wait(&done);
  for (;;)
    pause();
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;

  (void)argc;
  pthread_barrier_init(&done, NULL, 2);
  if (strcmp(argv[1], "thread") != 0)
    for (int i = 0; i < 100; i++)
      work(i);
  if (strcmp(argv[1], "main") == 0)
    return 0;
  if (pthread_create(&thread, NULL, run, NULL))
    return 1;
  pthread_barrier_wait(&done);
  return 0;
}
#endif
