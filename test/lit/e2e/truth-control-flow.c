// Calls and lines of every kind of control flow, at all levels of optimisation,
// against the account that the program itself keeps.
// RUN: for level in -O0 -O1 -O2 -O3 -Os "-O2 -static" "-O2 -no-pie" %if !riscv64 %{"-O2 -static-pie"%} "-O2 -ffunction-sections -Wl,--gc-sections"; do %arcline-cc -g $level -I %S/Inputs %s -o %t && rm -f gmon.out && %t 3 > %t.truth && %python %S/Inputs/check_truth.py --arcline %arcline --gprof "%gprof" %t %s %t.truth gmon.out || exit 1; done
// RUN: %arcline-cc -g -O0 -I %S/Inputs %s -o %t && %t 3 > %t.truth
// RUN: %python %S/Inputs/check_truth.py --arcline %arcline --gprof "%gprof" --gprof-lines %t %s %t.truth gmon.out
#include "truth.h"
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf top;

NEVER_INLINED static int leaf(int x) {
  CALLED(0);
  return x ^ 0x55;
}

static inline int always(int x) {
  MARK(1);
  return x + 1;
}

NEVER_INLINED static int choose(int x) {
  CALLED(2);
  switch (x % 5) {
  case 0:
    MARK(3);
    return 1;
  case 1:
    MARK(4);
    // falls through
  case 2:
    MARK(5);
    break;
  default:
    if (x % 2)
      MARK(6);
    else
      MARK(7);
  }
  MARK(8);
  return x > 10 && x % 3 == 0 ? leaf(x) : always(x);
}

NEVER_INLINED static int recurse(int depth) {
  MARK(9);
  if (depth == 0) {
    MARK(10);
    return 0;
  }
  int below = recurse(depth - 1);
  if (below >= 0)
    MARK(11);
  return below + 1;
}

NEVER_INLINED static void jump(int x) {
  CALLED(12);
  if (x == 3)
    longjmp(top, x);
  MARK(13);
}

NEVER_INLINED static int machine(int steps) {
  CALLED(14);
  static const void *const table[] = {&&add, &&sub, &&end};
  int x = 0;
  goto *table[0];
add:
  MARK(15);
  x += 3;
  goto *table[x > steps ? 2 : x % 2];
sub:
  MARK(16);
  x -= 1;
  goto *table[x > steps ? 2 : 0];
end:
  MARK(17);
  return x;
}

NEVER_INLINED static void leave(int code) {
  CALLED(18);
  if (code) {
    tell_truth();
    exit(0);
  }
  MARK(19);
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? atoi(argv[1]) : 1;
  volatile int total = 0;

  for (int i = 0; i < 100 * scale; i++) {
    MARK(20);
    total = total + choose(i);
    for (int j = i; j > 0; j /= 2) {
      MARK(21);
      total = total + j;
      if (j % 7 == 0)
        break;
      if (j % 5 == 0)
        continue;
      MARK(22);
    }
  }
  total = total + recurse(50 * scale);
  total = total + machine(40);

  volatile int round = 0;
  if (setjmp(top) != 0)
    MARK(23);
  MARK(24);
  for (; round < 10; round = round + 1) {
    const int now = round;
    round = now + (now == 3);
    jump(now);
    MARK(25);
  }

  int k = 0;
again:
  MARK(26);
  if (++k < 9)
    goto again;
  do {
    MARK(27);
  } while (--k > 4);
  leave(0);
  leave(total != 1);
  MARK(28);
  return 1;
}
