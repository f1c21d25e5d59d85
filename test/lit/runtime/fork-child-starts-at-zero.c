/* fork() while other threads call: each child's file has only its own calls,
   and the parent's has none of them. */
// RUN: %cc -O2 -fno-unroll-loops -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: env ARCLINE_OPTIONS=out=%%p.gmon %t > parent
// RUN: for f in *.gmon; do [ $f = $(cat parent).gmon ] || \
// RUN:   %python %S/Inputs/gmon.py llvm-nm %t $f; done > children
// RUN: grep -c '^arc child leaf 1000$' children | grep -x 50
// RUN: grep -c '^block pick_counters+8 1000$' children | grep -x 50
// RUN: not grep -E 'arc (main|work|before)|histograms [^1]' children
// RUN: %python %S/Inputs/gmon.py llvm-nm %t $(cat parent).gmon | FileCheck %s
// CHECK-NOT: arc child
// CHECK: arc main before 100
// CHECK-NOT: arc child
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrument.h"

enum { N_CHILDREN = 50, N_THREADS = 4 };

PICK_DATA

static NOINLINE void leaf(void) { CALLED(leaf); }

static NOINLINE void before(void) {
  CALLED(before);
  pick(1);
}

static void *work(void *arg) {
  for (;;) {
    leaf();
    pick(0);
  }
  return arg;
}

static NOINLINE void child(void) {
  for (int i = 0; i < 1000; i++) {
    leaf();
    pick(1);
  }
}

static void *in_thread(void *arg) {
  child();
  return arg;
}

int main(void) {
  pthread_t threads[N_THREADS];

  printf("%d\n", (int)getpid());
  fflush(stdout);
  for (int i = 0; i < 100; i++)
    before();
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  usleep(1000);
  for (int i = 0; i < N_CHILDREN; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      // Half of the children count in a thread that reuses old memory.
      if (i & 1) {
        pthread_create(&threads[0], NULL, in_thread, NULL);
        pthread_join(threads[0], NULL);
      } else {
        child();
      }
      exit(0);
    }
    waitpid(pid, NULL, 0);
  }
  return 0;
}
