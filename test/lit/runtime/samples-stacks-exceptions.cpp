// Samples come all the time while exceptions are thrown, and through
// std::sort(): stacks are complete, except where libgcc is about to jump into a
// handler, and the program is not disturbed.
// RUN: %arcline-c++ -O2 %s -o %t
// RUN: %python %S/Inputs/stacks.py complete %t 98
// RUN: %arcline-c++ -O2 -static %s -o %t
// RUN: %python %S/Inputs/stacks.py complete %t 98
#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <vector>

static volatile unsigned long sink;

struct Guard {
  ~Guard() { sink = sink + 1; }
};

__attribute__((noinline)) static int fall(int depth) {
  Guard guard;
  if (depth == 0)
    throw std::runtime_error("down");
  return fall(depth - 1) + 1;
}

int main() {
  int caught = 0;
  for (int i = 0; i < 30000; i++) {
    try {
      fall(i % 20);
    } catch (const std::exception &error) {
      caught += error.what()[0] == 'd';
    }
  }
  std::vector<int> numbers(200000);
  for (int round = 0; round < 5; round++) {
    for (int &number : numbers)
      number = rand();
    std::sort(numbers.begin(), numbers.end(), [](int a, int b) {
      sink = sink + 1;
      return a < b;
    });
  }
  return caught == 30000 ? 0 : 1;
}
