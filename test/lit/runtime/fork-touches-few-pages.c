/* A child that ends at once copies some pages, each of which costs as much as a
   system call: call stacks, of which it records none, add few pages. */
// RUN: %arcline-cc -O1 %s -o prog
// RUN: env ARCLINE_OPTIONS=out=off/%%m:hz=0 ./prog > off
// RUN: env ARCLINE_OPTIONS=out=on/%%m:hz=1:stacks=on ./prog > on
// RUN: test $(cat on) -lt $(($(cat off) + 40))
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_CHILDREN = 50 };

int main(void) {
  struct rusage usage;

  for (int i = 0; i < N_CHILDREN; i++) {
    if (fork() == 0)
      exit(0);
    wait(NULL);
  }
  if (getrusage(RUSAGE_CHILDREN, &usage))
    return 1;
  printf("%ld\n", usage.ru_minflt / N_CHILDREN);
  return 0;
}
