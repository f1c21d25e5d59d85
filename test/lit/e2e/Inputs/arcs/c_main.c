// Calls of many kinds, in two units of C. See arcs-agree-with-mcount.test.
#include "c_units.h"
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static volatile long total;
static jmp_buf top;

// The other unit has a function of that name, too.
static int local(int x) { return x + 1; }

int aliased(int x) { return local(x); }
int also_aliased(int x) __attribute__((alias("aliased")));

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

static int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int compare(const void *a, const void *b) {
  const int x = *(const int *)a;
  const int y = *(const int *)b;
  total += local(x);
  return (x > y) - (x < y);
}

static int sum(int n, ...) {
  va_list arguments;
  int result = 0;
  va_start(arguments, n);
  while (n--)
    result += va_arg(arguments, int);
  va_end(arguments);
  return result;
}

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int thrice(int x) { return 3 * x; }

static int apply(operation f, int x) { return f(x); }

static void pointers(void) {
  static const operation operations[] = {twice, square,   thrice,
                                         abs,   other_op, aliased};
  for (int i = 0; i < 1000; i++) {
    total += operations[i % 6](i);
    total += apply(i % 7 ? twice : square, i);
    if (i % 3)
      total += operations[i % 2](operations[2](i)) + operations[2](i);
  }
  // A site whose first callee is not the usual one, one that is never run, and
  // one whose callee the compiler determines.
  for (int i = 0; i < 100; i++)
    total += (i ? thrice : square)(i);
  if (total == 1)
    total += operations[total](1);
  const operation known = total ? thrice : thrice;
  total += known(1);
}

static void leap(int x) {
  if (x % 3 == 0)
    longjmp(top, x + 1);
  total += local(x);
}

static void jumps(void) {
  volatile int i = 0;
  if (setjmp(top))
    total += twice(i);
  while (i < 20) {
    i = i + 1;
    leap(i);
    total += square(i);
  }
}

static void handle(int signal) { total += local(signal); }

static void at_exit(void) { total += fibonacci(3); }

__attribute__((constructor)) static void construct(void) { total += twice(2); }
__attribute__((destructor)) static void destruct(void) { total += twice(3); }

static _Noreturn void leave(int x) {
  total += square(x);
  exit(0);
}

static int choose(int x) {
  switch (x % 4) {
  case 0:
    return twice(x);
  case 1:
    total += local(x);
    // falls through
  case 2:
    return local(x) && other(x) ? sum(2, local(x), x) : square(x);
  default:
    return 0;
  }
}

static int in_loops(int n) {
  int result = 0;
  for (int i = 0; i < n; i++)
    for (int j = local(i) - 1; j < n; j++)
      result += i % 2 ? twice(j) : square(j);
  return result;
}

static int specialised(operation f, int depth) {
  return depth ? f(depth) + specialised(f, depth - 1) : 0;
}

int main(void) {
  int numbers[100];

  atexit(at_exit);
  signal(SIGUSR1, handle);
  for (int i = 0; i < 100; i++)
    numbers[i] = i * 7919 % 101;
  qsort(numbers, 100, sizeof(*numbers), compare);
  total += compare(numbers, numbers + 1);
  total += is_even(31) + fibonacci(12);
  pointers();
  jumps();
  for (int i = 0; i < 50; i++) {
    total += choose(i) + overridden(i) + also_aliased(i);
    if (i % 10 == 0)
      raise(SIGUSR1);
  }
  total += in_loops(13) + other_caller(5) + shared_inline(2);
  total += specialised(twice, 5) + specialised(square, 6);
  leave(printf("%d\n", total != 0));
}
