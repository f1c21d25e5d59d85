#ifndef SHAPES_H
#define SHAPES_H

#include <vector>

inline int twice(int x) {
  return 2 * x; // 6
}

template <typename T> T sum(const std::vector<T> &all) {
  T result = 0; // 2
  for (const T &one : all)
    result += one; // 7
  return result; // 2
}

struct Square {
  explicit Square(int side) : side(side) {} // 3
  virtual ~Square() {} // 3
  virtual int area() const;
  int side;
};

inline int Square::area() const {
  return side * side; // 3
}

int other();

#endif
