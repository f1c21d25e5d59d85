/* arcline_dump() writes stacks, arcline_reset() removes them. */
// RUN: %arcline-cc -O2 -I%include -I%S/Inputs %s -o %t -L%libdir -larcline
// RUN: %python %S/Inputs/stacks.py reset %t
#include <stdio.h>

#include "arcline/arcline.h"
#include "burn.h"

BURN

    static volatile int sink;

__attribute__((noinline)) static void before(void) {
  burn(200000000);
  sink++;
}

__attribute__((noinline)) static void after(void) {
  burn(200000000);
  sink--;
}

int main(void) {
  before();
  if (arcline_dump())
    return 1;
  rename("gmon.out", "first");
  rename("gmon.out.arcline", "first.arcline");
  arcline_reset();
  after();
  return 0;
}
