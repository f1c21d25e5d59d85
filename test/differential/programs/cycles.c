/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// Recursion of every shape: direct, mutual, and two cycles that touch. Declared
// here: this file is also built without a C library.
int printf(const char *, ...);

int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int third(int n);
int second(int n) { return n <= 0 ? fib(8) : third(n - 1) + second(n - 3); }
int third(int n) { return n <= 0 ? even(7) : second(n - 1) + third(n - 2); }

static void spin(int n) {
  for (volatile int i = 0; i < n; i++)
    ;
}

int ping(int n);
int pong(int n) {
  spin(2000);
  return n <= 0 ? second(6) : ping(n - 1);
}
int ping(int n) {
  spin(1000);
  return n <= 0 ? fib(10) : pong(n - 1);
}

int main(void) {
  int sum = 0;

  for (int i = 0; i < 200; i++)
    sum += fib(12) + even(50) + second(9) + ping(20);
  printf("%d\n", sum);
  return 0;
}
