/* A child samples itself, and starts from zero. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/samples.py forked %t
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "burn.h"

BURN

    int
    main(void) {
  double seconds = burn_seconds(0.2);
  const pid_t child = fork();

  if (child)
    waitpid(child, NULL, 0);
  seconds = (child ? seconds : 0) + burn_seconds(0.3);
  printf("%d %.6f\n", (int)getpid(), seconds);
  return 0;
}
