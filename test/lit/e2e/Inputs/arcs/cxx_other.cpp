// The second unit of cxx_main.cpp.
#include "cxx_units.h"

#include <stdexcept>

namespace {
int hidden(int x) { return x * 3; }
struct Initialised {
  int value;
  Initialised() : value(hidden(7)) {}
  ~Initialised() { value = hidden(8); }
} initialised;
} // namespace

int Diamond::depth(int x) { return hidden(x) + left + right; }
int Both::area(int x) { return hidden(x); }
int Both::name(int x) { return hidden(x) + Named::name(x); }

int other_unit(int n) {
  const Box<int> box(n);
  const Box<int> copy(box);
  return copy.get() + counted() + largest(std::vector<int>(4, n));
}

int thrower(int n) {
  const Box<long> guard(n);
  if (n % 3 == 0)
    throw std::runtime_error("three");
  if (n % 5 == 0)
    throw n;
  return hidden(static_cast<int>(guard.get()));
}

std::function<int(int)> adder(int n) {
  return [n](int x) { return hidden(x) + n; };
}
