/* stacks=on: inclusive time is measured. Two functions that spend it in a
   common callee, one four times as much as the other, have their shares, in
   every link mode; the number of stacks is that of the samples. */
// RUN: %arcline-cc -O2 -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/stacks.py shares %t
// RUN: %arcline-cc -O2 -static -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/stacks.py shares %t
// RUN: %arcline-cc -O0 -no-pie -I%S/Inputs %s -o %t
// RUN: %python %S/Inputs/stacks.py shares %t
#include <stdio.h>

#include "burn.h"

BURN

    static double a_seconds,
    b_seconds;

__attribute__((noinline)) static void a(void) {
  a_seconds += burn_seconds(0.008);
}

__attribute__((noinline)) static void b(void) {
  b_seconds += burn_seconds(0.002);
}

int main(void) {
  for (int i = 0; i < 100; i++) {
    a();
    b();
  }
  printf("a %.6f\nb %.6f\n", a_seconds, b_seconds);
  return 0;
}
