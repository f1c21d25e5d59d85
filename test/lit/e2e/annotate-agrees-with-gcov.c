// Line counts are those of gcc's gcov, at every level of optimisation.
// RUN: %cc --coverage -O0 -c %s -o covered.o && %cc --coverage covered.o -o covered
// RUN: ./covered > expected && $(%cc -print-prog-name=gcov) -t covered.gcda > gcov.txt
// RUN: for level in -O0 -O1 -O2 -O3 -Os; do %arcline-cc -g $level %s -o prog && ./prog | diff expected - && %arcline annotate prog > annotated && %python %S/Inputs/compare_gcov.py %s annotated gcov.txt || exit 1; done
#include <stdio.h>
#include <stdlib.h>

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define MANY_TIMES(n)                                                          \
  for (int q = 0; q < (n); q++) {                                              \
    if (q & 1)                                                                 \
      depth++;                                                                 \
    else                                                                       \
      depth--;                                                                 \
  }

static int depth;

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int jumps(int n) {
  int sum = 0;
again:
  sum += n;
  if (--n > 0)
    goto again;
  if (sum & 1) goto odd; else goto even;
odd:
  return sum * 2;
even:
  return sum;
}

static int interpret(const unsigned char *p) {
  static void *operations[] = {&&add, &&subtract, &&twice, &&halt};
  int value = 0;
  goto *operations[*p++];
add:
  value += 1;
  goto *operations[*p++];
subtract:
  value -= 1;
  goto *operations[*p++];
twice:
  value *= 2;
  goto *operations[*p++];
halt:
  return value;
}

static int choose(int c) {
  switch (c) {
  case 0:
    return 1;
  case 1:
  case 2:
    c += 2;
    // falls through
  case 3:
    c++;
    break;
  case 'a' ... 'z': c = 7; break;
  default:
    c = -1;
  }
  return c;
}

static int logic(int a, int b, int c) {
  if (a && b)
    return 1;
  return !a && !b ? (c ? 2 : 3) : 4;
}

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}

static int empty_loops(int n) {
  int i;
  for (i = 0; i < n; i++)
    ;
  while (n-- > 0);
  do { } while (i-- > 0);
  return i;
}

static int never(int x) {
  if (x)
    abort();
  return x;
}

static void nested(int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      if (j == 3) continue;
      if (j == 6) break;
      depth += j;
    }
    if (i == 8)
      return;
  }
}

static int many_arguments(int n) {
  int t = 0;
  for (int i = 0; i < n; i++)
    t += LARGER(i, 3) +
         choose(
             fib(i));
  for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) t += fib(j);
  fib(1); fib(2); fib(3);
  do t++; while (t < 500);
  return t;
}

static void leave(int n) {
  if (n == 0)
    exit(0);
  leave(n - 1);
  depth++; // after exit
} // after exit

int main(void) {
  int v[] = {5, 3, 9, 1, 7};
  printf("%d\n", fib(15));
  printf("%d %d\n", jumps(5), jumps(8));
  printf("%d\n", interpret((const unsigned char *)"\0\0\2\0\1\2\3"));
  for (int i = -1; i < 10; i++) printf("%d ", choose(i)); printf("%d\n", choose('q'));
  for (int i = 0; i < 8; i++)
    printf("%d ", logic(i & 1, i & 2, i & 4));
  qsort(v, 5, sizeof(v[0]), compare);
  MANY_TIMES(9)
  MANY_TIMES(depth + 20)
  printf("%d\n", empty_loops(10));
  never(0);
  nested(12);
  printf("%d %d\n", many_arguments(6), depth);
  leave(6);
  return depth; // after exit
}
