/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* 100 calls, then nine children with 1,000 calls each, and a daemon that forks
   twice, begins a session and makes 7 calls. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void before(void) {
  __asm__ volatile("# before");
}
__attribute__((noinline)) static void in_child(void) {
  __asm__ volatile("# in_child");
}
__attribute__((noinline)) static void in_daemon(void) {
  __asm__ volatile("# in_daemon");
}

static void be_daemon(void) {
  setsid();
  if (fork())
    exit(0);
  for (int i = 0; i < 7; i++)
    in_daemon();
  exit(0);
}

int main(void) {
  int ends[2];
  char byte;

  for (int i = 0; i < 100; i++)
    before();
  for (int i = 0; i < 9; i++)
    if (fork() == 0) {
      for (int k = 0; k < 1000; k++)
        in_child();
      exit(0);
    }
  // Open as long as the daemon runs.
  if (pipe(ends))
    return 2;
  if (fork() == 0)
    be_daemon();
  close(ends[1]);
  while (wait(NULL) > 0)
    continue;
  return (int)read(ends[0], &byte, 1);
}
