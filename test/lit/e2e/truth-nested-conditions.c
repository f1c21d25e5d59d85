// Counts of || inside && are exact at each level, also in rare code: the jump
// from the inner condition to the outer one has no counter, since true and
// false share it.
// RUN: %arcline-cc -O0 -g %s -o plain
// RUN: %arcline-cc -O1 -g %s -o some
// RUN: %arcline-cc -O3 -g %s -o fast
// RUN: ./plain > plain.out
// RUN: %arcline annotate plain | FileCheck %s
// RUN: rm -r gmon.out*
// RUN: ./some > some.out
// RUN: %arcline annotate some | FileCheck %s
// RUN: rm -r gmon.out*
// RUN: ./fast > fast.out
// RUN: %arcline annotate fast | FileCheck %s
// RUN: cmp plain.out some.out && cmp plain.out fast.out
#include <stdio.h>

static int lengths;

// CHECK:      {{^ +60 .*}}int scan(
// CHECK:      {{^ +140 .*}}while (text
// CHECK-NEXT: {{^ +120 .*}}(state != 4
// CHECK-NEXT: {{^ +110 .*}}n++
__attribute__((noinline)) static int scan(const char *text, int state) {
  int n = 0;
  if (__builtin_expect(state > 2, 0)) {
    while (text[n] && text[n] != '#' && (state != 3 || text[n] != '?') &&
           (state != 4 || (text[n] != '=' && text[n] != '&')))
      n++;
  }
  return n;
}

int main(void) {
  for (int i = 0; i < 60; ++i)
    lengths += scan("ab?d=#", i % 6);
  printf("%d\n", lengths);
  return 0;
}
