/* Arcs of calls that are not counted by mcount: direct ones, and indirect ones
   in threads, with callees in and outside of the object; since the last reset,
   and in a forked child. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: ARCLINE_OPTIONS=out=gmon.%%p %t > child
// RUN: mv gmon.$(cat child) child.out
// RUN: %python %S/Inputs/gmon.py llvm-nm %t $(ls gmon.* | grep -v arcline) | FileCheck %s
// RUN: %python %S/Inputs/gmon.py llvm-nm %t child.out \
// RUN:   | FileCheck %s --check-prefix=CHILD
// CHECK: marked
// CHECK-NEXT: histograms
// CHECK-NEXT: arc call_any call_f 20000
// CHECK-NEXT: arc call_any call_g 4000
// CHECK-NEXT: arc call_any plain 4000
// CHECK-NEXT: arc main pick 1
// CHECK-NEXT: arc outside call_any 16000
// CHECK-NEXT: arc outside call_g 7
// CHECK-NOT: arc
// CHILD: marked
// CHILD-NEXT: histograms
// CHILD-NEXT: arc call_any call_f 3
// CHILD-NEXT: arc call_any call_g 2
// CHILD-NEXT: arc call_any plain 1
// CHILD-NEXT: arc outside call_any 3
// CHILD-NOT: arc
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arcline/arcline.h"
#include "call_sites.h"

enum { N_THREADS = 4, N_CALLS = 1000 };

CALL_SITES_DATA
PICK_DATA

static NOINLINE void plain(void) { __asm__ volatile(""); }

static void *work(void *arg) {
  for (int i = 0; i < N_CALLS; i++) {
    call_any(call_f);
    call_any(plain);
    call_any(call_g);
    call_any(tzset);
  }
  return arg;
}

int main(void) {
  pthread_t threads[N_THREADS];

  for (int i = 0; i < 100; i++) {
    call_any(plain); // the first callee from now on
    call_any(call_g);
  }
  arcline_reset();
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  const pid_t child = fork();
  if (child == 0) {
    call_any(call_g);
    call_any(plain);
    call_any(call_g);
    exit(0);
  }
  printf("%d\n", (int)child);
  for (int i = 0; i < 7; i++)
    call_g();
  pick(0);
  return waitpid(child, NULL, 0) != child;
}
