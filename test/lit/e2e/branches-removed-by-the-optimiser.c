// Lines and branches that the optimiser turns into values have the counts of
// -O0 at every level, in executables and in code for libraries.
// RUN: for level in -O0 -O1 -O2 -O3 -Os '-O2 -fPIC' '-O3 -march=x86-64-v3'; do rm -f gmon.out && \
// RUN:   %arcline-cc $level %s -o prog && ./prog && \
// RUN:   %arcline export --format=lcov prog > "got$level" || exit 1; done
// RUN: for level in -O1 -O2 -O3 -Os '-O2 -fPIC' '-O3 -march=x86-64-v3'; do diff got-O0 "got$level" || exit 1; done
// RUN: FileCheck %s < got-O0
// REQUIRES: x86_64
// CHECK: FNDA:1000,smaller
// CHECK: FNDA:1000,kind
#include <setjmp.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static unsigned smaller(unsigned a, unsigned b) {
  unsigned result;
  if (a < b)
    result = a; // CHECK-DAG: DA:[[#@LINE]],400
  else
    result = b; // CHECK-DAG: DA:[[#@LINE]],600
  return result;
}

NOINLINE static int kind(int c) {
  if ('0' <= c && c <= '9')
    return 1; // CHECK-DAG: DA:[[#@LINE]],40
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
    return 2; // CHECK-DAG: DA:[[#@LINE]],212
  return 0;   // CHECK-DAG: DA:[[#@LINE]],748
}

NOINLINE static int is_even(int x) {
  if (x % 2)
    return 0; // CHECK-DAG: DA:[[#@LINE]],500
  return 1;   // CHECK-DAG: DA:[[#@LINE]],500
}

static int sign(int x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }

/* Vectorised, and unrolled. */
NOINLINE static int large(const int *values, int n) {
  int result = 0;
  for (int i = 0; i < n; i++)
    if (values[i] > 700)
      result++; // CHECK-DAG: DA:[[#@LINE]],299
  return result;
}

NOINLINE static const char *skip(const char *s) {
  while (s && *s && (*s == ' ' || *s == '\t'))
    s++; // CHECK-DAG: DA:[[#@LINE]],3
  return s;
}

/* One comparison replaces two; the one that failed is determined after the
   loop, also of a character that was extended. */
NOINLINE static int number(const signed char *s) {
  int result = 0;
  while (*s >= '0' && *s <= '9')
    result = 2 * result + *s++ - '0'; // CHECK-DAG: DA:[[#@LINE]],2496
  if (*s < -100 || *s > 100)
    result++; // CHECK-DAG: DA:[[#@LINE]],400
  if (!(*s >= 'a' && *s <= 'f'))
    return result; // CHECK-DAG: DA:[[#@LINE]],800
  return -result;  // CHECK-DAG: DA:[[#@LINE]],200
}

static jmp_buf top;

NOINLINE static int leave(int x) {
  if (x > 997)
    longjmp(top, x);
  return x;
}

/* Control may leave between the choice and its use. */
NOINLINE static int choose(int x) {
  int n = 0;
  if (x % 3 == 0)
    n = 5; // CHECK-DAG: DA:[[#@LINE]],333
  int m = leave(x);
  if (m & 1 && n)
    n += m; // CHECK-DAG: DA:[[#@LINE]],166
  return n;
}

/* The same computation with different operands. */
NOINLINE static long rounded(double x) {
  if (x < 0)
    return (long)(x - 0.5); // CHECK-DAG: DA:[[#@LINE]],301
  else
    return (long)(x + 0.5); // CHECK-DAG: DA:[[#@LINE]],699
}

NOINLINE static double away_from_zero(double x, double by, double less) {
  double result;
  if (x > 0)
    result = (x + by) * 2; // CHECK-DAG: DA:[[#@LINE]],699
  else
    result = (x + less) * 2; // CHECK-DAG: DA:[[#@LINE]],302
  return result;
}

int main(void) {
  static int values[1000];
  volatile int sum = 0;
  for (int i = 0; i < 1000; i++) {
    values[i] = i;
    sum += (int)smaller((unsigned)i, 400u) + kind(i % 256) + is_even(i);
    for (int j = -1; j <= 1; j++)
      sum += sign(j);
    sum += (int)rounded(i - 300.25);
    sum += away_from_zero(i - 300.25, 0.5, -0.5) > 9;
  }
  for (int i = 0; i < 1000; i++) {
    static const signed char ends[] = {' ', 'c', -110, 'x', ':'};
    signed char text[8] = "0123456";
    text[i % 6] = ends[i % 5];
    sum += number(text);
  }
  sum += away_from_zero(__builtin_nan(""), 0.5, -0.5) > 9;
  sum += large(values, 1000) + (skip(" \t hello") != 0) + (skip(0) != 0);
  volatile int i = 0;
  if (setjmp(top) == 0)
    for (; i < 2000; i++)
      sum += choose(i);
  return 0;
}
