// An implicit destructor and the block where unwinding goes on have locations,
// but no lines: their numbers have no meaning in the source.
// RUN: %arcline-c++ -O0 -g %s -o %t && %t
// RUN: %arcline annotate %t | FileCheck %s
struct Part {
  ~Part() {
    left++; // CHECK: {{ 2 +}}[[#@LINE]]|
  }
  static int left;
};
int Part::left;
struct Whole { // CHECK: {{^ +}}[[#@LINE]]| struct Whole
  Part part;
};
static void risky(int x) {
  if (x) // CHECK: {{ 2 +}}[[#@LINE]]|
    throw x;
}
static void hold(int x) {
  Whole whole;
  risky(x); // CHECK: {{ 2 +.*}}[[#@LINE]]|
}
int main() {
  hold(0);
  try {
    hold(1);
  } catch (int) {
  }
  return Part::left != 2;
}
