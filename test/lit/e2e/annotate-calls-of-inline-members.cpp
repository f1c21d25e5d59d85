// Calls of inline functions that are left to a library, as members of an extern
// template are: with calls alone, their long names must be in the executable.
// RUN: for level in -O0 -O1 -O2; do \
// RUN:   %arcline-c++ $level -g --arcline-calls-only %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline annotate --calls %t | FileCheck %s || exit 1; \
// RUN: done
#include <sstream>
int main() {
  // CHECK: basic_ostringstream() 1
  std::ostringstream stream;
  return stream.fail();
}
