// Initial values of members are code, though in an implicit constructor: their
// lines count, and that of the class has no count.
// RUN: for level in -O0 -O2; do \
// RUN:   %arcline-c++ $level -g %s -o %t && %t && %arcline annotate --calls %t | FileCheck %s || exit 1; \
// RUN: done
static int twice(int n) { return 2 * n; }
struct Sizes { // CHECK: {{^ +}}[[#@LINE]]| struct Sizes
  int small = twice(1); // CHECK: {{ 3 +.*}}[[#@LINE]]|
  int large = // CHECK-NEXT: {{ 3 +.*}}-> twice(int)
      twice(2) > 4
          ? twice(3) // CHECK: {{##### +}}[[#@LINE]]|
          : twice(4); // CHECK: {{ 3 +.*}}[[#@LINE]]|
};
int main() {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    Sizes sizes;
    sum += sizes.small + sizes.large;
  }
  return sum != 30;
}
