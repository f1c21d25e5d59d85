// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

template <typename T> T clamp(T value, T low, T high) {
  if (value < low)
    return low;
  return value > high ? high : value;
}

inline int half(int n) {
  if (n % 2)
    throw std::invalid_argument("odd");
  return n / 2;
}

template <typename T> struct Stack {
  std::vector<T> items;
  void push(T item) {
    if (items.size() < 3)
      items.push_back(item);
  }
  ~Stack() {
    while (!items.empty())
      items.pop_back();
  }
};
