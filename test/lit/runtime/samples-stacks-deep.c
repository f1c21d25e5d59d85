/* For stacks deeper than the limit, the innermost frames are recorded, and that
   others exist. */
// RUN: %arcline-cc -O1 -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/stacks.py deep %t
#include "burn.h"

BURN

    static volatile int sink;

__attribute__((noinline)) static void recurse(int depth) {
  if (depth)
    recurse(depth - 1);
  else
    burn(200000000);
  sink += depth;
}

int main(void) {
  recurse(3000);
  return 0;
}
