// Each condition of a decision has, for both of its values, the number of
// decisions whose outcome it determined and the number of its evaluations, at
// any level of optimisation.
// RUN: %arcline-cc --arcline-mcdc -O0 -g %s -o prog0
// RUN: ./prog0 7 5 5 4 3 2
// RUN: %arcline annotate --conditions prog0 > out0
// RUN: FileCheck %s < out0
// RUN: rm gmon.out*
// RUN: %arcline-cc --arcline-mcdc -O2 -g %s -o prog2
// RUN: ./prog2 7 5 5 4 3 2
// RUN: %arcline annotate --conditions prog2 | FileCheck %s
// RUN: rm gmon.out*
// RUN: %arcline-cc --arcline-mcdc -O3 -flto -fuse-ld=lld -g %s -o prog3
// RUN: ./prog3 7 5 5 4 3 2
// RUN: %arcline annotate --conditions prog3 | FileCheck %s
// RUN: rm gmon.out*
// The setting of the pass does the same.
// RUN: env ARCLINE_PASS_OPTIONS=mcdc=on %arcline-cc -O2 -g %s -o prog4
// RUN: ./prog4 7 5 5 4 3 2
// RUN: %arcline annotate --conditions prog4 | FileCheck %s
// RUN: rm gmon.out*
// The plugin alone needs clang's names of blocks.
// RUN: env ARCLINE_PASS_OPTIONS=mcdc=on not %clang -fpass-plugin=%plugin -fdiscard-value-names -O2 -c %s -o no.o 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES: error: arcline: mcdc=on requires names of blocks; use -fno-discard-value-names, or arcline-cc
// Without the build option there is nothing to show.
// RUN: %arcline-cc -O2 -g %s -o plain
// RUN: ./plain 7
// RUN: %arcline annotate --conditions plain 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: plain: no decisions were counted; --conditions requires
// PLAIN-NOT: {{^ \| }}decision
#include <stdlib.h>

__attribute__((noinline)) int branch(int a, int b, int c) {
  if ((a || b) && c)
    return 1;
  return 0;
}

__attribute__((noinline)) int value(int a, int b, int c) {
  int x = a && (b || !c);
  return x;
}

__attribute__((noinline)) int loop(int a, int b, int c) {
  while (a && (b || c))
    a--;
  return a;
}

__attribute__((noinline)) int choice(int a, int b, int c) {
  return (a ? b : c) && a + 1 > 1;
}

__attribute__((noinline)) int several(int a, int b, int c) {
  if (__builtin_expect(a && b, 1) || c)
    return 2;
  // Not one decision, but two.
  if (a)
    if (b)
      return 3;
  return a ? b : c;
}

// A constant is no condition.
__attribute__((noinline)) int constant(int a, int b, int c) {
  if ((a || sizeof(a) < 2) && c)
    return b;
  return 0;
}

int main(int argc, char **argv) {
  int sum = 0;

  for (int i = 1; i < argc; i++) {
    const int v = atoi(argv[i]);
    const int a = v >> 2 & 1, b = v >> 1 & 1, c = v & 1;
    sum += branch(a, b, c) + value(a, b, c) + loop(a, b, c) + choice(a, b, c) +
           several(a, b, c) + constant(a, b, c);
  }
  return sum < 0;
}

// CHECK: {{^ [0-9]+ [0-9]+\|.*}}if ((a ||
// CHECK-NEXT: {{^ \| }}decision: 1 of 3 conditions covered
// CHECK-NEXT: {{^ \| }}1 `a': true 3 of 4, false 0 of 2; missing: false
// CHECK-NEXT: {{^ \| }}2 `b': true 1 of 2, false 0 of 0; missing: false
// CHECK-NEXT: {{^ \| }}3 `c': true 4 of 4, false 2 of 2{{$}}
// CHECK: {{^ [0-9]+ [0-9]+\|.*}}int x =
// CHECK-NEXT: {{^ \| }}decision: 3 of 3 conditions covered
// CHECK-NEXT: {{^ \| }}1 `a': true 2 of 4, false 2 of 2{{$}}
// CHECK-NEXT: {{^ \| }}2 `b': true 1 of 1, false 2 of 3{{$}}
// CHECK-NEXT: {{^ \| }}3 `c': true 2 of 2, false 1 of 1{{$}}
// CHECK: {{^ [0-9]+ [0-9]+\|.*}}while (a
// CHECK-NEXT: {{^ \| }}decision: 3 of 3 conditions covered
// CHECK-NEXT: {{^ \| }}1 `a': true 3 of 4, false 5 of 5{{$}}
// CHECK-NEXT: {{^ \| }}2 `b': true 1 of 1, false 1 of 3{{$}}
// CHECK-NEXT: {{^ \| }}3 `c': true 2 of 2, false 1 of 1{{$}}
// CHECK: {{^ [0-9]+ [0-9]+\|.*}}return (a ?
// CHECK-NEXT: {{^ \| }}decision: 3 of 4 conditions covered
// CHECK-NEXT: {{^ \| }}1 `a': true 4 of 4, false 1 of 2{{$}}
// CHECK-NEXT: {{^ \| }}2 `b': true 1 of 1, false 3 of 3{{$}}
// CHECK-NEXT: {{^ \| }}3 `c': true 0 of 1, false 1 of 1; missing: true
// CHECK-NEXT: {{^ \| }}4 `a + 1 > 1': true 1 of 1, false 1 of 1{{$}}
// CHECK: {{^ [0-9]+ [0-9]+\|.*}}if (__builtin
// CHECK-NEXT: {{^ \| }}decision: 3 of 3 conditions covered
// CHECK-NEXT: {{^ \| .*}}true 1 of 4, false 1 of 2{{$}}
// CHECK-NEXT: {{^ \| .*}}true 1 of 1, false 1 of 3{{$}}
// CHECK-NEXT: {{^ \| .*}}true 3 of 3, false 2 of 2{{$}}
// CHECK: {{^ [0-9]+ [0-9]+\|.*}}if (a)
// CHECK-NOT: {{^ \| }}decision
// CHECK: {{^ [0-9]+ [0-9]+\|.*}}return a ? b
// CHECK: if ((a || sizeof(a) < 2) && c){{$}}
// CHECK-NEXT: {{^ \| }}decision: 2 of 2 conditions covered
// CHECK-NEXT: {{^ \| }}1 `a': true 3 of 4, false 2 of 2{{$}}
// CHECK-NEXT: {{^ \| }}2 `c': true 3 of 3, false 1 of 1{{$}}
// CHECK: main: called 1 time
// CHECK-NOT: {{^ \| }}decision
// CHECK: Conditions covered: 15 of 18 (83.3 %)
// CHECK: covered conds
// CHECK: 15 of    18
