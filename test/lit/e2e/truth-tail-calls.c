// Tail calls that the optimiser turns into jumps, and recursion that it turns
// into loops, need no more stack than without counting: self recursion, mutual
// recursion, through a table, as results in a variable, and as the last of
// several returns. All calls and lines are counted.
// RUN: for level in -O1 -O2 -O3 -Os "-O2 -fPIC" "-O2 -static" "-O2 -fno-pie -no-pie" "-O2 -flto -fuse-ld=lld"; do %arcline-cc -g $level -I %S/Inputs %s -o %t && rm -f gmon.out && bash -c 'ulimit -s 128; exec "$0"' %t > %t.truth && %python %S/Inputs/check_truth.py --arcline %arcline --gprof "%gprof" %t %s %t.truth gmon.out || exit 1; done
// REQUIRES: lld
#include "truth.h"

enum { LENGTH = 1000000 };

static unsigned char program[LENGTH];

NEVER_INLINED static int is_odd(int n);

NEVER_INLINED static int is_even(int n) {
  CALLED(0);
  if (n == 0)
    return 1;
  return is_odd(n - 1);
}

NEVER_INLINED static int is_odd(int n) {
  CALLED(1);
  if (n == 0)
    return 0;
  return is_even(n - 1);
}

NEVER_INLINED static long count_down(long n, long sum) {
  MARK(2);
  if (n == 0) {
    MARK(3);
    return sum;
  }
  if (n & 1) {
    MARK(4);
    return count_down(n - 1, sum + 1);
  }
  MARK(5);
  return count_down(n - 1, sum + 2);
}

typedef long (*operation)(const unsigned char *p, long a);
static operation table[3];

NEVER_INLINED static long add(const unsigned char *p, long a) {
  MARK(6);
  return table[p[1]](p + 1, a + 1);
}

NEVER_INLINED static long subtract(const unsigned char *p, long a) {
  MARK(7);
  return table[p[1]](p + 1, a - 1);
}

NEVER_INLINED static long end(const unsigned char *p, long a) {
  CALLED(8);
  return a + *p;
}

NEVER_INLINED static void walk(const unsigned char *p, long *sum) {
  MARK(9);
  *sum += *p;
  if (*p == 2)
    return;
  long passed = p[1];
  if (passed == 1)
    walk(p + 1, sum);
  else
    walk(p + 1, sum);
}

int main(void) {
  long sum = 0;

  for (int i = 0; i < LENGTH; i++)
    program[i] = i % 3 == 0;
  program[LENGTH - 1] = 2;
  table[0] = add;
  table[1] = subtract;
  table[2] = end;
  const int even = is_even(LENGTH);
  const long down = count_down(LENGTH, 0);
  const long left = table[program[0]](program, 0);
  walk(program, &sum);
  fprintf(stderr, "%d %ld %ld %ld\n", even, down, left, sum);
  tell_truth();
  return 0;
}
