/* A program that is sampled runs under valgrind, too, even if the next sample
   needs more stack than is mapped: valgrind 3.19 extends no stack for a handler
   that requests an alternate one, so that one must be set. */
// REQUIRES: valgrind
// RUN: %arcline-cc -g0 -O1 -I%S/Inputs %s -o %t
// RUN: env ARCLINE_OPTIONS=hz=1000 valgrind -q --error-exitcode=9 %t 2> errors
// RUN: cat errors; count 0 < errors
// RUN: %arcline gprof -b -p %t | FileCheck %s
// CHECK: {{^ *(100|[5-9][0-9])[.][0-9]+ .*}} burn
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "burn.h"

/* LEFT is enough to read a clock, and for no frame. */
enum { LEFT = 512 };

BURN

    /* The beginning of the stack that contains here. */
    static uintptr_t
    lowest(uintptr_t here) {
  FILE *maps = fopen("/proc/self/maps", "r");
  unsigned long low, high;
  int n;

  if (!maps)
    abort();
  while ((n = fscanf(maps, "%lx-%lx%*[^\n]", &low, &high)) == 2)
    if (low <= here && here < high)
      break;
  fclose(maps);
  return n == 2 ? low : 0;
}

int main(void) {
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

  cpu_seconds();
  lowest(here);
  // Read again: the first time may have extended the stack.
  const uintptr_t low = lowest(here);
  volatile char *used = alloca(here - low - LEFT);
  used[0] = 0;
  burn_seconds(1);
  return 0;
}
