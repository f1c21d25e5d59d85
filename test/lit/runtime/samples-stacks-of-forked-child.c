/* A child has its own stacks, and none of its parent's. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/stacks.py forked %t
#include <stdio.h>
#include <sys/wait.h>

#include "burn.h"

BURN

    static volatile int sink;

__attribute__((noinline)) static void parent(void) {
  burn(200000000);
  sink++;
}

__attribute__((noinline)) static void child(void) {
  burn(200000000);
  sink--;
}

int main(void) {
  parent();
  const pid_t pid = fork();
  if (!pid) {
    child();
    printf("%d child\n", (int)getpid());
    return 0;
  }
  waitpid(pid, NULL, 0);
  printf("%d parent\n", (int)getpid());
  return 0;
}
