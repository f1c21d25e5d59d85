// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of every kind that a header may have, used by two units.
#pragma once
#include <string>

template <typename T> T twice(T x) {
  return x + x;
}

// An instance that has no code of some lines.
template <typename T> int rank_of(T x) {
  if constexpr (sizeof(T) > 4)
    return x > 100 ? 3 : 2;
  else
    return 1;
}

template <typename... Ts> int count_of(Ts... xs) {
  return (0 + ... + (int)xs);
}

template <typename T> class Box {
public:
  explicit Box(T x) : value(x) {}
  ~Box() {
    if (value == T())
      last = "empty";
  }
  T get() const { return value; } void put(T x) { value = x; } void put(T x, int n) { value = x + n; }
  template <typename U> U as() const {
    return static_cast<U>(value);
  }
  bool operator<(const Box &other) const {
    return value < other.value;
  }

private:
  T value;
  std::string last = "full";
};

inline int in_both_units(int n) {
  return n > 3 ? n : -n;
}

static inline int of_each_unit(int n) {
  return n + 1;
}

inline int never_inline(int n) {
  return n - 1;
}

int other(int n);
