/* A program that cannot open any file, not even in /proc, while it is sampled
   has stacks: the runtime has listed its code before. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/stacks.py chains %t -- burn '.*>main>burn'
// RUN: %arcline-cc -O2 -static -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/stacks.py chains %t -- burn '.*>main>burn'
// RUN: %arcline-cc -O2 -static-pie -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/stacks.py chains %t -- burn '.*>main>burn'
#include <stddef.h>
#include <sys/resource.h>

#include "burn.h"

BURN

    static volatile int sink;

int main(void) {
  struct rlimit usual, none;

  if (getrlimit(RLIMIT_NOFILE, &usual))
    return 1;
  none = usual;
  none.rlim_cur = 0;
  if (setrlimit(RLIMIT_NOFILE, &none))
    return 1;
  burn(400000000);
  sink++;
  return setrlimit(RLIMIT_NOFILE, &usual) != 0;
}
