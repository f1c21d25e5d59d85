// __builtin_setjmp() returns again where __builtin_longjmp() leads to it. That
// is not a call of its function, and the code after it counts as often as it
// ran.
// RUN: echo 'set -e' > check
// RUN: echo '%arcline-cc -g "$@" -I %S/Inputs %s -o %t' >> check
// RUN: echo 'rm -f gmon.out; %t > %t.truth' >> check
// RUN: echo '%check-truth %t %s %t.truth gmon.out' >> check
// RUN: for level in -O0 -O1 -O2 -O3 -Os "-O2 -fPIC"; do sh check $level || exit 1; done
#include "truth.h"

static void *place[5];

NEVER_INLINED static void fail(int n) {
  CALLED(0);
  if (n % 3 == 0) {
    MARK(1);
    __builtin_longjmp(place, 1);
  }
  MARK(2);
}

NEVER_INLINED static int protect(int n) {
  CALLED(3);
  if (__builtin_setjmp(place) == 0) {
    MARK(4);
    fail(n);
    MARK(5);
    return 1;
  }
  MARK(6);
  return 0;
}

/* Tries again, in the frame that control comes back to. */
NEVER_INLINED static int retry(void) {
  volatile int n = 0;

  CALLED(7);
  __builtin_setjmp(place);
  MARK(8);
  n++;
  if (n < 4) {
    MARK(9);
    fail(0);
  }
  MARK(10);
  return n;
}

int main(void) {
  int sum = 0;

  for (int i = 0; i < 20; i++)
    sum += protect(i) + retry();
  fprintf(stderr, "%d\n", sum);
  tell_truth();
  return 0;
}
