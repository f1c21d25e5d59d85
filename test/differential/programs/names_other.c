/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// The other half of names.c.
static int helper(int n) {
  volatile int i;

  for (i = 0; i < n * 10; i++)
    ;
  return i;
}

__attribute__((weak)) int weak_function(int n) { return helper(n) + 1; }
static int only_here(int n) { return helper(n) - 1; }
int shared(int n) { return only_here(n) + weak_function(n); }
