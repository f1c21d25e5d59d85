// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shapes, and more.h"

int other(int);

static int kind(int c) {
  switch (c) {
  case 1:
  case 2:
    return 10;
  case 3:
    return 20;
  default:
    return 30;
  }
}

static int never(int n) { return n > 0 ? n : -n; }

struct Owner {
  std::string name;
  explicit Owner(int n) : name(n > 2 ? "large" : "small") {}
};

static int guarded(int n) {
  Owner owner(n);
  for (int i = 0; i < 4; i++) {
    std::string text = owner.name;
    if (i == n)
      break;
    if (i == 2)
      return n;
  }
  static const std::string once = owner.name;
  return (int)once.size();
}

int main(int argc, char **) {
  int sum = 0;
  Stack<int> ints;
  Stack<double> doubles;
  for (int i = 0; i < 6; i++) {
    sum += kind(i) + clamp(i, 1, 3) + (int)clamp(i * 0.5, 1.0, 2.0);
    ints.push(i);
    try {
      sum += half(i) + other(i);
    } catch (const std::invalid_argument &e) {
      sum--;
    } catch (const std::string &e) {
      sum -= 2;
    }
  }
  for (int i = 0; i < 5; i++)
    sum += guarded(i);
  doubles.push(1);
  if (argc > 1 && sum > 0)
    sum += never(sum);
  Owner *owner = new Owner(1);
  delete owner;
  return sum == 0;
}
