// Loops whose counts are kept in registers, at all levels of optimisation,
// against the program's own account. That account is in plain memory, so that
// it does not prevent the rewriting of loops.
// RUN: for level in -O0 -O1 -O2 -O3 -Os "-O3 -funroll-loops"; do %arcline-cc -g $level -I %S/Inputs %s -o %t && rm -f gmon.out && %t > %t.truth && %python %S/Inputs/check_truth.py --arcline %arcline --gprof "%gprof" %t %s %t.truth gmon.out || exit 1; done
// RUN: for level in -O2 -O3; do env ARCLINE_PASS_OPTIONS=promote=off %arcline-cc -g $level -I %S/Inputs %s -o %t && rm -f gmon.out && %t > %t.truth && %python %S/Inputs/check_truth.py --arcline %arcline --gprof "%gprof" %t %s %t.truth gmon.out || exit 1; done
#include "truth.h"

#undef TRUTH_ADD
#define TRUTH_ADD(i) truth_count[i]++

static int numbers[4096];
static volatile int sink;

NEVER_INLINED static int find(int n, int wanted) {
  CALLED(0);
  for (int i = 0; i < n; i++) {
    MARK(1);
    if (numbers[i] == wanted)
      return i;
    if (numbers[i] > 100000)
      break;
    MARK(2);
  }
  MARK(3);
  return -1;
}

NEVER_INLINED static int sum(int n) {
  CALLED(4);
  int result = 0;
  for (int i = 0; i < n; i++)
    result += numbers[i];
  MARK(5);
  return result;
}

NEVER_INLINED static int nested(int n) {
  CALLED(6);
  int result = 0;
  for (int i = 0; i < n; i++) {
    MARK(7);
    for (int j = i; j < n; j++) {
      MARK(8);
      for (int k = 0; k < 3; k++) {
        MARK(9);
        if ((i ^ j ^ k) & 1)
          continue;
        result += k;
        MARK(10);
      }
      if (result % 97 == 5)
        goto out;
    }
    MARK(11);
  }
  MARK(12);
out:
  MARK(13);
  return result;
}

NEVER_INLINED static int machine(unsigned n) {
  CALLED(14);
  int state = 0;
  while (n) {
    switch (state) {
    case 0:
      MARK(15);
      state = n % 3;
      break;
    case 1:
      MARK(16);
      state = 2;
      // falls through
    case 2:
      MARK(17);
      state = n % 2;
      break;
    }
    n--;
    MARK(18);
  }
  do {
    MARK(19);
    n += 2;
  } while (n < 20);
  return state;
}

NEVER_INLINED static unsigned collatz(unsigned n) {
  CALLED(20);
  unsigned steps = 0;
  for (; n != 1; steps++) {
    MARK(21);
    if (n & 1)
      n = 3 * n + 1;
    else
      n /= 2;
  }
  return steps;
}

// Once around the loop, and never.
NEVER_INLINED static void short_ones(int n) {
  for (int i = 0; i < n; i++)
    MARK(22);
  for (int i = n; i < 0; i++)
    MARK(23);
  MARK(24);
}

int main(void) {
  for (int i = 0; i < 4096; i++)
    numbers[i] = i * 17 % 4096;
  for (int i = 0; i < 50; i++) {
    sink = find(2048, i);
    sink = sum(i * 10) + nested(i) + machine(i * 3) + (int)collatz(i + 1);
    short_ones(i % 2);
  }
  tell_truth();
}
