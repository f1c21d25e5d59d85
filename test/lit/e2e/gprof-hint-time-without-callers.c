// A report has a hint if much time is in functions without known callers:
// qsort() spends its time in internal functions of libc. With call stacks their
// callers are known; a flat profile has no callers.
//
// RUN: %arcline-cc -O2 %s -o prog && env ARCLINE_OPTIONS=hz=500:stacks=off ./prog
// RUN: %arcline gprof -b prog 2>&1 > report | FileCheck %s
// CHECK: arcline: warning: {{[2-9][0-9]}} % of the time is in functions
// CHECK-SAME: without a known caller, such as callbacks of libraries;
// CHECK-SAME: run with ARCLINE_OPTIONS=stacks=on to record callers 
// RUN: %arcline gprof -b -p prog 2> hint > report && count 0 < hint
// RUN: %arcline gprof -b --no-side prog 2> hint > report && count 0 < hint
// RUN: env ARCLINE_OPTIONS=hz=500:stacks=on ./prog
// RUN: %arcline gprof -b prog 2> hint > report && count 0 < hint
#include <stdlib.h>

enum { N_ROUNDS = 200, N_VALUES = 20000 };

static unsigned values[N_VALUES];

static int compare(const void *left, const void *right) {
  const unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;

  return (a > b) - (a < b);
}

int main(void) {
  unsigned n = 1;

  for (int i = 0; i < N_ROUNDS; i++) {
    for (int k = 0; k < N_VALUES; k++)
      values[k] = n = n * 1103515245 + 12345;
    qsort(values, N_VALUES, sizeof(*values), compare);
  }
  return values[0] > values[1];
}
