// A statement that throws and catches on one line, as macros of test frameworks do,
// is entered once, whether it throws or not.
// RUN: for level in -O0 -O2; do \
// RUN:   %arcline-c++ $level -g %s -o %t && rm -f gmon.out* && %t && \
// RUN:   %arcline export --format=lcov -o lines.info %t && \
// RUN:   FileCheck %s < lines.info && \
// RUN:   %arcline annotate --calls %t > calls && grep 'return 1;' calls && \
// RUN:   not grep '[|]   -> __cxa_begin' calls || exit 1; \
// RUN: done
#include <new>
#include <string>

#define EXPECT_THROW(statement, type) \
  do { \
    bool is_caught = false; \
    try { \
      statement; \
    } catch (const type &) { \
      is_caught = true; \
    } catch (...) { \
    } \
    n += is_caught; \
  } while (n < 0)

static int n;

__attribute__((noinline)) static std::string fail(int i) {
  if (i % 3 == 0)
    throw std::bad_alloc();
  if (i % 3 == 1)
    throw i;
  return "none";
}

// The first of two handlers begins at the end of the other one to clang, which calls
// nothing there.
__attribute__((noinline)) static int handle(int i) {
  try {
    fail(i);
  } catch (std::bad_alloc &) {
    return 1;
  } catch (...) {
    return 2;
  }
  return 0;
}

int main() {
  handle(3);
  for (int i = 0; i < 9; i++)
    EXPECT_THROW(fail(i), std::bad_alloc); // CHECK: DA:[[#@LINE]],9
  for (int i = 0; i < 9; i++)
    try { fail(i); } catch (...) { n--; } // CHECK: DA:[[#@LINE]],9
  return n == 3 ? 1 : 0;
}
