// Calls of many kinds, in two units of C++. See arcs-agree-with-mcount.test.
#include "cxx_units.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

volatile long total;

int hidden(int x) { return x * 2; }

struct Initialised {
  Initialised() { total = total + hidden(7); }
  ~Initialised() { total = total + hidden(8); }
} initialised;
Initialised several[3];

struct Derived : Shape {
  int area(int x) override { return Shape::area(x) + hidden(x); }
};

struct Thrower {
  explicit Thrower(int x) {
    if (x % 4 == 0)
      throw std::string("four");
  }
  ~Thrower() { total = total + hidden(1); }
  Box<int> box{4};
};

int rethrows(int n) {
  try {
    return thrower(n);
  } catch (int) {
    total = total + hidden(n);
    throw;
  }
}

int catches(int n) {
  try {
    const Box<int> guard(n);
    return rethrows(n) + guard.get();
  } catch (const std::runtime_error &) {
    return hidden(n);
  } catch (int) {
    return counted();
  }
}

void virtual_calls() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 30; i++)
    if (i % 3 == 0)
      shapes.emplace_back(new Shape);
    else if (i % 3 == 1)
      shapes.emplace_back(new Derived);
    else
      shapes.emplace_back(new Both);
  for (const auto &shape : shapes)
    total = total + shape->area(3);
  Both both;
  Diamond diamond;
  Named *const names[] = {&both, &both};
  Base *const base = total == 1 ? nullptr : &diamond;
  Right *const right = &diamond;
  for (int i = 0; i < 10; i++)
    total = total + names[i % 2]->name(i) + base->depth(i) + right->depth(i);
  int (Shape::*member)(int) = &Shape::area;
  for (const auto &shape : shapes)
    total = total + (shape.get()->*member)(4);
  std::unique_ptr<Named> owned(new Both);
}

void library_calls() {
  std::vector<int> numbers;
  for (int i = 0; i < 60; i++)
    numbers.push_back(i * 37 % 61);
  std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return b < a; });
  std::map<std::string, int> words;
  for (int n : numbers)
    words[std::to_string(n % 10)] += hidden(n);
  const std::vector<std::function<int(int)>> functions = {adder(1), hidden,
                                                          adder(2)};
  for (int n : numbers)
    total = total + functions[n % 3](n);
  total = total + words.begin()->second + largest(numbers) +
          largest(std::vector<double>{1, 3, 2});
}

} // namespace

int main() {
  virtual_calls();
  library_calls();
  for (int i = 1; i < 40; i++) {
    total = total + catches(i) + other_unit(i) + counted();
    try {
      const Thrower thrower(i);
      total = total + thrower.box.get();
    } catch (const std::string &) {
      total = total + hidden(i);
    }
  }
  std::printf("%d\n", total != 0);
}
