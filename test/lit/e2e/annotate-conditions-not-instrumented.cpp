// A decision with more than 64 conditions is reported with its line, and so is
// one whose last condition cannot be counted; 64 conditions are counted.
// RUN: %python -c "print('#define ALL(n) (' + ' && '.join('v != %d' % (i + 900) for i in range(64)) + ')\n#define MORE (ALL(0) && v != 5)')" > all.h
// RUN: %arcline-c++ --arcline-mcdc -O2 -g -I. %s -o prog
// RUN: ./prog
// RUN: %arcline annotate --conditions prog > out
// RUN: FileCheck %s < out
// The rest is counted in that function, too, and in templates and lambdas.
#include "all.h"
#include <cstdio>
#include <stdexcept>

static volatile int v = 1;

static bool recurse(int n) { return n > 2 && recurse(n / 2); }

template <typename T> static bool is_between(T x, T low, T high) {
  return low <= x && x <= high;
}

static int thrower(int n) {
  if (n > 2)
    throw std::runtime_error("");
  return n;
}

int main() {
  int n = 0;

  if (ALL(0))
    n++;
  if (MORE)
    n++;
  const auto is_odd_or_large = [](int x) { return x % 2 == 1 || x > 100; };
  for (int i = 0; i < 4; i++) {
    n += is_between(i, 1, 2) + is_between(i + 0.5, 1.0, 3.0);
    n += is_odd_or_large(i);
    try {
      // Only decisions that end count.
      if ((i > 0 || v == 9) && thrower(i) > 0)
        n++;
    } catch (const std::exception &) {
      n--;
    }
  }
  std::printf("%d\n", n + recurse(9));
}

// CHECK: return low <= x && x <= high;{{$}}
// CHECK-NEXT: {{^ \| }}decision: 2 of 2 conditions covered
// CHECK-NEXT: {{^ \| }}1 `low <= x': true 4 of 6, false 2 of 2
// CHECK-NEXT: {{^ \| }}2 `x <= high': true 4 of 4, false 2 of 2
// CHECK: if (ALL(0)){{$}}
// CHECK-NEXT: {{^ \| }}decision: 0 of 64 conditions covered
// CHECK: {{^ \| }}64 `ALL(0)': true 1 of 1, false 0 of 0; missing: false
// CHECK: if (MORE){{$}}
// CHECK-NEXT: {{^ \| }}decision of 65 conditions: not instrumented
// CHECK: {{^ \| }}1 `x % 2 == 1': true 2 of 2, false 2 of 2
// CHECK-NEXT: {{^ \| }}2 `x > 100': true 0 of 0, false 2 of 2; missing: true
// CHECK: if ((i > 0 || v == 9) && thrower(i) > 0){{$}}
// CHECK-NEXT: {{^ \| }}decision
// CHECK-NEXT: {{^ \| }}1 `i > 0': true 2 of 3, false 1 of 1
// CHECK-NEXT: {{^ \| }}2 `v == 9': true 0 of 0, false 1 of 1; missing: true
// CHECK-NEXT: {{^ \| }}3 `thrower(i) > 0': true 2 of 2, false 0 of 0; missing: false
// CHECK: annotate-conditions-not-instrumented.cpp:15: decision of 2 conditions: not instrumented
// CHECK: annotate-conditions-not-instrumented.cpp:32: decision of 65 conditions: not instrumented
