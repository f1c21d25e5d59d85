/* fork=inherit: the child's counts and samples continue those of the parent,
   also after another fork. fork=off: the child writes no profile and takes no
   samples. The parent's own profile is the same in all cases. */
// RUN: %cc -O2 -fno-unroll-loops -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread -o %t
// RUN: env ARCLINE_OPTIONS=fork=inherit:out=%%p %t > pids
// RUN: for pid in $(cat pids); do \
// RUN:   %python %S/Inputs/gmon.py llvm-nm %t $pid; done | FileCheck %s
// CHECK: arc child leaf 2
// CHECK: arc main leaf 100
// CHECK: block pick_2+0 400
// CHECK: arc child leaf 1
// CHECK: arc main leaf 100
// CHECK: block pick_2+0 200
// CHECK-NOT: arc child
// CHECK: arc main leaf 100
// CHECK: block pick_2+0 100
// RUN: mkdir off && cd off
// RUN: env ARCLINE_OPTIONS=fork=off:out=%%p %t > pids
// RUN: tail -n 1 pids > parent
// RUN: ls | grep -x '[0-9]*' | diff parent -
// RUN: %python %S/Inputs/gmon.py llvm-nm %t $(cat parent) \
// RUN:   | FileCheck %s --check-prefix=PARENT
// PARENT-NOT: arc child
// PARENT: arc main leaf 100
// PARENT: block pick_2+0 100
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrument.h"

PICK_DATA

static NOINLINE void leaf(void) { CALLED(leaf); }

static NOINLINE void child(void) {
  leaf();
  __asm__ volatile(""); /* or the call is a jump, from main */
}

static void *in_thread(void *arg) {
  for (int i = 0; i < 50; i++)
    pick(1);
  return arg;
}

int main(void) {
  pthread_t thread;
  int status = 0;

  for (int i = 0; i < 100; i++)
    leaf();
  pthread_create(&thread, NULL, in_thread, NULL);
  pthread_join(thread, NULL);
  in_thread(NULL);
  for (int depth = 0; depth < 2; depth++) {
    const pid_t pid = fork();
    if (pid) {
      waitpid(pid, &status, 0);
      printf("%d\n", (int)getpid());
      exit(status != 0);
    }
    child();
    for (int i = 0; i < (depth ? 4 : 2); i++)
      in_thread(NULL);
    if (depth)
      printf("%d\n", (int)getpid());
  }
  return 0;
}
