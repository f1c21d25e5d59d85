/* The memory that a parent has prepared for its child is freed if there is no
   child: after any number of failed calls, and after the end of processes whose
   last call failed. */
// RUN: %arcline-cc -O1 -I%S/Inputs %s -o prog
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pages.h"

/* The system rejects a thread with its own signal handlers. */
static void fail_to_fork(int n) {
  for (int i = 0; i < n; i++)
    if (syscall(SYS_clone, CLONE_THREAD, 0, 0, 0, 0) != -1)
      exit(1);
}

static void lose_children(int n) {
  for (int i = 0; i < n; i++) {
    const pid_t pid = fork();
    if (pid == 0) {
      fail_to_fork(3);
      raise(SIGKILL);
    }
    if (waitpid(pid, NULL, 0) != pid)
      exit(1);
  }
}

int main(void) {
  lose_children(20);
  const unsigned long n_first = pages();
  lose_children(200);
  if (pages() != n_first)
    return 1;
  fail_to_fork(300);
  const unsigned long n_second = pages();
  fail_to_fork(600);
  return pages() != n_second;
}
