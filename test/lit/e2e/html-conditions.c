// Pages have a table of the conditions of each decision, and the first page has
// their total; pages of other programs have none.
// RUN: %arcline-cc --arcline-mcdc -O2 -g %s -o prog
// RUN: ./prog 7 5 5 4 3 2
// RUN: %arcline html --root=/ -o report prog
// RUN: %python %S/../analyzer/Inputs/unpack_html.py report/src/html-conditions.c-*.html | FileCheck %s
// RUN: FileCheck --check-prefix=TOTAL --input-file=report/index.html %s
// TOTAL: Conditions covered{{.*}}33.3{{.*}}1 of 3 conditions (MC/DC)
// RUN: %arcline-cc -O2 -g %s -o plain && rm gmon.out* && ./plain 7
// RUN: %arcline html --root=/ -o plain-report plain
// RUN: %python %S/../analyzer/Inputs/unpack_html.py plain-report/src/html-conditions.c-*.html | not grep '^ decision:'
// RUN: not grep "Conditions covered" plain-report/index.html
#include <stdlib.h>

__attribute__((noinline)) static int test(int a, int b, int c) {
  // CHECK: [[#@LINE+3]]: 6
  // CHECK-NEXT: branch:
  // CHECK: decision: {{\[\[}}'a', 3, 4, 0, 2], ['b > 0', 1, 2, 0, 0], ['c', 4, 4, 2, 2]]
  if ((a || b > 0) && c)
    return 1;
  // CHECK-NOT: {{^ }}decision:
  if (a > 4)
    return 3;
  return 0;
}

int main(int argc, char **argv) {
  int sum = 0;

  for (int i = 1; i < argc; i++) {
    const int v = atoi(argv[i]);
    sum += test(v >> 2 & 1, v >> 1 & 1, v & 1);
  }
  return sum < 0;
}
