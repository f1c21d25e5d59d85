// Landing pads and destructors that run during unwinding have the lines of
// closing braces, or of code that clang compiled before. Such a brace counts
// normal paths only, or is not a line; a `catch` counts the executions of its
// handler, whichever of several it is. Without -g, too.
// RUN: for level in "-O0 -g" "-O1 -g" "-O2 -g" "-O3 -g" -O0 "-O2 -g1"; do \
// RUN:   %arcline-c++ $level %s -o %t && %t && \
// RUN:   %arcline annotate %t | tee lines | FileCheck %s || exit 1; \
// RUN:   not grep -E '##### .*\| *}' lines || exit 1; \
// RUN: done
// clang-format off
#include <string>

struct Guard {
  static int depth;
  Guard() { depth++; }
  ~Guard() { depth--; }
};
int Guard::depth;

__attribute__((noinline)) static int checked(int x) {
  if (x > 100)
    throw x;
  if (x < 0)
    throw "negative";
  if (x == 0)
    throw std::string("zero");
  return x;
}

static int returns_early(int x) {
  Guard guard;
  if (x > 3) { // CHECK: {{^ +4 +}}[[#@LINE]]|
    std::string text(20, 'a');
    return checked(x) + int(text.size()); // CHECK: {{^ +2 +.*}}[[#@LINE]]|
  } else if (x > 1) { // CHECK: {{ }}[[#@LINE]]|
    Guard inner; // CHECK: {{^ +1 +.*}}[[#@LINE]]|
    return checked(x);
  } // CHECK: {{^ +1 +.*}}[[#@LINE]]|
  return x; // CHECK: {{^ +1 +}}[[#@LINE]]|
}

static int handles(int x) {
  Guard guard;
  int sum = x;
  try {
    Guard inner;
    sum = checked(x); // CHECK: {{^ +6 +.*}}[[#@LINE]]|
  } catch (const char *) {
    sum = 1;              // CHECK: {{^ +1 +}}[[#@LINE]]|
  } catch (int value) {   // CHECK: {{ }}[[#@LINE]]|
    Guard inner;          // CHECK: {{^ +2 +.*}}[[#@LINE]]|
    sum = checked(value); // CHECK: {{^ +2 +.*}}[[#@LINE]]|
  } catch (const std::string &) {
    sum = 2; // CHECK: {{^ +1 +}}[[#@LINE]]|
  } // CHECK: {{^ +1 +.*}}[[#@LINE]]|
  return sum; // CHECK: {{^ +4 +}}[[#@LINE]]|
} // CHECK: {{^ +(4 +.*)?}}[[#@LINE]]|

static int handles_with_braces_below(int x) {
  try
  {
    return checked(x); // CHECK: {{^ +3 +.*}}[[#@LINE]]|
  }
  catch (int
             value) // CHECK: {{^ +1 +}}[[#@LINE]]|
  {
    return value / 100; // CHECK: {{^ +1 +}}[[#@LINE]]|
  }
  catch (const char *text) // CHECK: {{^ +1 +}}[[#@LINE]]|
  {
    return text[0] != 0; // CHECK: {{^ +1 +}}[[#@LINE]]|
  }
}

static void passes_on(int x) {
  try {
    Guard guard;
    checked(x); // CHECK: {{^ +2 +.*}}[[#@LINE]]|
  } catch (...) {
    Guard guard; // CHECK: {{^ +1 +.*}}[[#@LINE]]|
    throw;       // CHECK: {{^ +1 +.*}}[[#@LINE]]|
  } // CHECK: {{^ +[0-9]* +}}[[#@LINE]]|
} // CHECK: {{^ +1 +}}[[#@LINE]]|

struct Whole {
  std::string text;
  Guard guard;
  explicit Whole(int x) try : text(30, 'w') {
    checked(x); // CHECK: {{^ +2 +.*}}[[#@LINE]]|
  } catch (int) {
    Guard::depth += 0; // CHECK: {{^ +1 +}}[[#@LINE]]|
  }
};

int main() {
  int sum = returns_early(1) + returns_early(4) + returns_early(5);
  sum += returns_early(2) + handles(1) + handles(2) + handles(-1) + handles(0);
  for (int x : {1, 300, -1})
    sum += handles_with_braces_below(x);
  for (int x : {200, 300})
    try {
      sum += handles(x);
    } catch (int) {
      sum++;
    }
  passes_on(1);
  Whole whole(1);
  try {
    passes_on(200);
  } catch (int) {
    sum++;
  }
  try {
    Whole other(200);
  } catch (int) {
    sum++;
  }
  return sum == 0 || Guard::depth != 1;
} // CHECK: {{^ +(1 +.*)?}}[[#@LINE]]|
