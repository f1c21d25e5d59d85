// Exceptions, templates, virtual calls and destructors against the program's own
// account.
// RUN: for level in -O0 -O1 -O2 -O3 "-O2 -static" "-O2 -std=c++20"; do %arcline-c++ -g $level -I %S/Inputs %s -o %t && rm -f gmon.out && %t > %t.truth && %python %S/Inputs/check_truth.py --arcline %arcline --gprof "%gprof" %t %s %t.truth gmon.out || exit 1; done
#include "truth.h"
#include <stdexcept>
#include <vector>

template <class T> static T clip(T x, T limit) {
  MARK(0);
  if (x > limit)
    return limit;
  MARK(1);
  return x;
}

extern "C" {
NEVER_INLINED void thrower(int x) {
  CALLED(2);
  if (x % 3 == 0)
    throw std::runtime_error("three");
  if (x % 5 == 0)
    throw x;
  MARK(3);
}

NEVER_INLINED int catcher(int x) {
  CALLED(4);
  try {
    thrower(x);
    MARK(5);
    thrower(x + 1);
    MARK(6);
  } catch (const std::runtime_error &) {
    MARK(7);
    return 1;
  } catch (int) {
    MARK(8);
    throw;
  }
  MARK(9);
  return 0;
}
}

struct Guard {
  ~Guard() {
    MARK(10);
  }
};

struct Base {
  virtual ~Base() = default;
  virtual int value(int x) {
    MARK(11);
    return x;
  }
};
struct Derived : Base {
  int value(int x) override {
    MARK(12);
    return Base::value(x) + 1;
  }
};

int main() {
  volatile int total = 0;
  for (int i = 0; i < 100; i++) {
    MARK(13);
    try {
      Guard guard;
      total = total + catcher(i);
      MARK(14);
    } catch (int) {
      MARK(15);
      continue;
    }
    total = total + clip(i, 50) + static_cast<int>(clip(i * 0.5, 9.0));
  }
  std::vector<int> numbers;
  for (int i = 0; i < 30; i++)
    numbers.push_back(i);
  Derived derived;
  Base base;
  Base *objects[] = {&derived, &base};
  for (int n : numbers) {
    MARK(16);
    total = total + objects[n % 2]->value(n);
  }
  auto odd = [](int n) {
    MARK(17);
    return n % 2 != 0;
  };
  for (int n : numbers)
    if (odd(n))
      MARK(18);
  tell_truth();
}
