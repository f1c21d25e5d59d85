// Checks of sanitizers where a coroutine copies its parameters are not the
// line of its first statement.
// REQUIRES: sanitizers
// RUN: %arcline-c++ -std=c++20 -O2 -g -fsanitize=object-size -I %S/Inputs %s -o %t
// RUN: %t && %arcline annotate --function=numbers %t | FileCheck %s
#include "generator.h"

struct Text {
  int n;
  Text(int n) : n(n) {}
  Text(const Text &other) : n(other.n) {}
  ~Text() { n = 0; }
};

static Generator numbers(Text text) {
  co_yield text.n + 1; // CHECK: {{^ +1 +[0-9]+ +}}[[#@LINE]]|
  co_yield text.n + 2; // CHECK: {{^ +1 +[0-9]+ +}}[[#@LINE]]|
}

int main() {
  Generator two = numbers(Text(1));
  two.handle.resume();
  two.handle.resume();
  two.handle.destroy();
}
