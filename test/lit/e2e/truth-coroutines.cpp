// Coroutines: lines count however often the body is suspended and resumed, or
// destroyed before its end.
// RUN: for level in -O0 -O1 -O2 -O3; do %arcline-c++ -std=c++20 -g $level -I %S/Inputs %s -o %t && rm -f gmon.out && %t > %t.truth && %python %S/Inputs/check_truth.py --arcline %arcline --gprof "%gprof" %t %s %t.truth gmon.out || exit 1; done
#include "generator.h"
#include "truth.h"

static Generator numbers(int n) {
  MARK(0);
  for (int i = 0; i < n; i++) {
    MARK(1);
    co_yield i;
    MARK(2);
    if (i % 3 == 0)
      MARK(3);
  }
  MARK(4);
}
extern "C" NEVER_INLINED int tail(int n) {
  CALLED(5);
  return n * 3;
}

int main() {
  volatile int sum = 0;
  for (int k = 0; k < 5; k++) {
    Generator generator = numbers(10);
    for (int i = 0; i < 3 + tail(k); i++) {
      generator.handle.resume();
      if (generator.handle.done())
        break;
      sum = sum + generator.handle.promise().value;
    }
    generator.handle.destroy();
  }
  tell_truth();
}
