/* A child that has dumped its counts is one of the processes of the pool; if it
   is killed later, its parent adds the counts since, but not one more process.
   A child that was killed without a dump is one, too. */
// RUN: %arcline-cc -O1 -g -I%include %s -o prog
// RUN: rm -rf pool && ARCLINE_OPTIONS=out=pool/%%m ./prog
// RUN: %arcline report pool | FileCheck %s
// CHECK: profile {{.*}}, of 4 processes
// CHECK: {{^ +}}5 counted
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arcline/arcline.h"

enum { DUMPS = 1, COUNTS_AFTER = 2 };

__attribute__((noinline)) static void counted(void) { __asm__ volatile(""); }

int main(void) {
  static const int children[] = {0, DUMPS, DUMPS | COUNTS_AFTER};

  for (int i = 0; i < 3; i++) {
    const pid_t child = fork();
    if (child == 0) {
      counted();
      if (children[i] & DUMPS)
        arcline_dump();
      if (children[i] & COUNTS_AFTER)
        counted();
      raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
  }
  counted();
  return 0;
}
