/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// All calls go to functions that come later, and none is in tail position: GNU
// gprof finds all of them with -c.
#define KEPT __attribute__((noinline))

int main(void);
KEPT int first(int n);
KEPT int second(int n);
KEPT static int third(int n);
KEPT int fourth(int n);
KEPT int last(void);

int main(void) { return first(1) + second(2) + 1; }

KEPT int first(int n) { return second(n) + third(n + 1); }

KEPT int second(int n) {
  const int calls = n > 3 ? third(n) + 3 : fourth(n) * 5;

  return calls + 1;
}

KEPT static int third(int n) { return n > 4 ? fourth(n) + fourth(n + 1) : 7; }

KEPT int fourth(int n) {
  volatile int sum = n;

  for (int i = 0; i < 20; i++)
    sum += i;
  return sum;
}

/* Never called: histograms end before the last function. */
KEPT int last(void) { return 0; }
