/* persist=mmap: each child of fork() counts in its own live file, including
   grandchildren, in folders that are created for it. If it is killed, the file
   has all its counts, and none of its parent's; a child that exits leaves no
   file. */
// RUN: %arcline-cc -O2 -g1 %s -o %t
// RUN: env ARCLINE_OPTIONS=persist=mmap:out=new/pool/%%m %t
// RUN: ls new/pool/*.live.* | wc -l | grep -x ' *3'
// RUN: for file in new/pool/*.live.*; do %arcline recover $file || exit 1; done
// RUN: %arcline export --format=lcov new/pool | FileCheck %s
// CHECK-DAG: FNDA:10,before
// CHECK-DAG: FNDA:4004,serve
// CHECK-DAG: FNDA:1,main
// RUN: rm -r new
// RUN: env ARCLINE_OPTIONS=persist=mmap:out=new/pool/%%m:fork=off %t
// RUN: ls new/pool | not grep '[.]live[.]'
// RUN: %arcline export --format=lcov new/pool | FileCheck %s --check-prefix=OFF
// OFF-DAG: FNDA:10,before
// OFF-DAG: FNDA:0,serve
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void before(void) { __asm__ volatile(""); }

__attribute__((noinline)) static void serve(void) { __asm__ volatile(""); }

static void work(void) {
  for (int i = 0; i < 1001; i++)
    serve();
}

int main(void) {
  for (int i = 0; i < 10; i++)
    before();
  for (int i = 0; i < 3; i++) {
    if (fork())
      continue;
    work();
    if (i == 0 && !fork()) {
      work();
      raise(SIGKILL);
    }
    while (wait(NULL) > 0)
      continue;
    if (i == 1)
      exit(0);
    raise(SIGKILL);
  }
  while (wait(NULL) > 0)
    continue;
  return 0;
}
