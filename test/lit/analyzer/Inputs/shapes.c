// A program with difficult lines: inlined functions, several statements and
// blocks on a line, a cold part, a loop, recursion.
#include <stdio.h>
#include <stdlib.h>

static int leaf(int x) { return x * 3 + 1; }

static inline int mid(int x) {
  int s = 0;
  for (int i = 0; i < x; i++) {
    s += leaf(i); if (s > 1000) s -= 7;
  }
  return s;
}

__attribute__((noinline)) int hot(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (__builtin_expect(i == 77777, 0)) {
      printf("cold %d\n", i);
      abort();
    }
    s += mid(i % 10); s ^= i;
  }
  return s;
}

int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(int argc, char **argv) {
  (void)argv;
  printf("%d %d\n", hot(1000 * argc), fib(10));
  return 0;
}
