// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that register themselves: each line of a TEST belongs to a function and
// a global. And functions on one line with code that the compiler adds there.
#include <cstdio>
#include <cstring>

struct Case {
  Case(const char *name, void (*run)());
  void (*run)();
  const char *name;
  Case *next;
};

static Case *first;

Case::Case(const char *name, void (*run)()) : run(run), name(name), next(first) {
  first = this;
}

#define TEST(x) \
  static void test_##x(); \
  static Case case_##x(#x, test_##x); \
  static void test_##x()

TEST(one) {
  std::puts("one");
}

TEST(two) {
  std::puts("two");
}

struct Counter { int n = 5; int never() { return n; } ~Counter() { n = 0; } };

static int never_called(int n) { return n > 1 && n < 5 ? n : -n; }

static int global = first ? 3 : 4;

int main(int argc, char **) {
  Counter counter;
  for (const Case *at = first; at; at = at->next)
    if (std::strcmp(at->name, "one") == 0)
      at->run();
  if (argc > 5 || global > 5)
    return counter.never() + never_called(argc);
  return 0;
}
