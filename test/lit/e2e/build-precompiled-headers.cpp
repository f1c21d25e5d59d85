// Code of a precompiled header has the same counts as without one, in each way
// of compiling it: with each source that includes it, or once, in an object of
// the header (-fpch-codegen, -building-pch-with-obj).
//
// RUN: cp %S/Inputs/precompiled/* . && cp %s main.cpp
// RUN: for options in '-O0 -g'; do \
// RUN:   for way in none include instantiate codegen object; do \
// RUN:     rm -f gmon.out* *.o; sh build.sh $way %arcline-c++ $options || exit 1; \
// RUN:     ./prog && %arcline export --format=lcov -o all.info prog || exit 1; \
// RUN:     for file in main.cpp other.cpp shapes.h; do \
// RUN:       %python %S/Inputs/check_line_comments.py $file all.info || \
// RUN:         { echo "$options, $way"; exit 1; }; \
// RUN: done; done; done
#include "shapes.h"

int main() {
  int total = other(); // 1
  for (int i = 0; i < 3; i++)
    total += twice(i); // 3
  return sum(std::vector<int>(4, total)) == 4 * 34 ? 0 : 1; // 1
}
