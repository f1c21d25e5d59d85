/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// Mangled names: templates, overloads, virtual functions, lambdas, exceptions.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace shapes {
template <class T> struct Box {
  T value;
  explicit Box(T from) : value(from) {}
  T get() const { return value; }
};
int twice(int n) { return 2 * Box<int>(n).get(); }
double twice(double n) { return 2 * Box<double>(n).get(); }
} // namespace shapes

struct Base {
  virtual int run(int n) = 0;
  virtual ~Base() {}
};

struct Sorter : Base {
  int run(int n) override {
    std::vector<int> values;
    for (int i = 0; i < n; i++)
      values.push_back(i * 7 % 13);
    std::sort(values.begin(), values.end());
    return values[n / 2];
  }
};

struct Counter : Base {
  int run(int n) override {
    std::map<std::string, int> counts;
    for (int i = 0; i < n; i++)
      counts[std::to_string(i % 17)]++;
    return static_cast<int>(counts.size());
  }
};

extern "C" int plain_c(int n) {
  return shapes::twice(n) + static_cast<int>(shapes::twice(n * 0.5));
}

int main() {
  Sorter sorter;
  Counter counter;
  Base *bases[] = {&sorter, &counter};
  int sum = 0;
  auto step = [&](int i) { return plain_c(i) + bases[i & 1]->run(20 + i % 9); };

  for (int i = 0; i < 500; i++) {
    try {
      sum += step(i);
      if (i % 5 == 0)
        throw i;
    } catch (int thrown) {
      sum -= thrown;
    }
  }
  std::printf("%d\n", sum);
}
