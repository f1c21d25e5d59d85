/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// Lines with many blocks, macros, lines of other files, inlined functions of a
// header, and functions on one line.
#include "blocks.h"

#include <stdio.h>

#define BRANCHES(x)                                                            \
  ((x) % 2   ? clamp(x, 3, 9)                                                  \
   : (x) % 3 ? square(x)                                                       \
   : (x) % 5 ? clamp(x, 1, 2) + square(x)                                      \
             : 0)

static int one(int n) { return n + 1; } static int two(int n) { return n + 2; }

int loop_on_one_line(int n) { int s = 0; for (int i = 0; i < n; i++) if (i % 3) s += one(i); else if (i % 5) s += two(i); else s--; return s; }

int branches(int n) {
  int sum = 0;

  switch (n % 6) {
  case 0: sum += BRANCHES(n); break;
  case 1: sum += BRANCHES(n + 1) + BRANCHES(n + 2); break;
  case 2:
    sum += square(n); /* fall through */
  default: sum--;
  }
  while (n-- > 0 && sum < 1000) sum += n & 1 ? one(n) : two(n);
  return sum;
}

#line 100 "generated.c"
int generated(int n) {
  return n > 3 ? branches(n) : one(n);
}
#line 7 "blocks.c"
int back_again(int n) { return generated(n) + two(n); }

int main(void) {
  int sum = 0;

  for (int i = 0; i < 400; i++)
    sum += loop_on_one_line(i % 30) + branches(i % 40) + back_again(i % 9);
  printf("%d\n", sum);
  return 0;
}
