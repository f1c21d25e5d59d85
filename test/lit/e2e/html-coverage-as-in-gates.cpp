// The first page of `arcline html` has the coverage that `arcline diff`
// compares with limits: that of the program's own files, without headers of the
// system.
// RUN: %arcline-c++ -O1 -g %s -o prog && ./prog > out
// RUN: %arcline html -o site prog && %arcline diff gmon.out gmon.out > gates
// RUN: grep -oE '[0-9]+ of [0-9]+ (lines|functions|ways)' site/index.html > cards
// RUN: cat gates cards | FileCheck %s
// CHECK: lines covered [[LINES:[0-9.]+]] % of [[N_LINES:[0-9]+]] {{.*}} points
// CHECK: functions covered [[FUNCS:[0-9.]+]] % of [[N_FUNCS:[0-9]+]] {{.*}} points
// CHECK: branches covered [[WAYS:[0-9.]+]] % of [[N_WAYS:[0-9]+]] {{.*}} points
// CHECK: {{[0-9]+}} of [[N_LINES]] lines
// CHECK: 2 of [[N_FUNCS]] functions
// CHECK: {{[0-9]+}} of [[N_WAYS]] ways
// RUN: grep -q stl_vector.h site/index.html
#include <cstdio>
#include <vector>

__attribute__((noinline)) static int sum(const std::vector<int> &numbers) {
  int total = 0;
  for (int number : numbers)
    total += number > 1 ? number : 1;
  return total;
}

__attribute__((noinline)) static int never(int x) { return x + 1; }

int main(int argc, char **) {
  std::vector<int> numbers = {1, 2, 3};
  numbers.push_back(argc > 5 ? never(argc) : 4);
  std::printf("%d\n", sum(numbers));
  return 0;
}
