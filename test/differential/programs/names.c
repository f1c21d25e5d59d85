/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// Symbols of every kind: static functions whose names another file has too,
// weak ones, aliases, assembly without a type, calls through pointers.
#include <stdio.h>

int shared(int n);
int deeper(int n);

static int helper(int n) {
  volatile int i;

  for (i = 0; i < n * 20; i++)
    ;
  return i;
}

static int only_here(int n) { return helper(n) + 1; }
int first(int n) { return only_here(n) + helper(n + 1) + shared(n); }
int first_alias(int n) __attribute__((alias("first")));
int _first_alias(int n) __attribute__((alias("first")));
__attribute__((weak)) int weak_function(int n) { return helper(n); }

__asm__(".text\n.globl untyped\nuntyped:\n ret\n.local_untyped:\n ret\n");
void untyped(void);

static void by_pointer(int n) { helper(n % 7); }
static void (*const table[])(int) = {by_pointer, by_pointer};

int main(void) {
  int sum = 0;

  for (int i = 0; i < 1500; i++) {
    sum += first(i % 50) + first_alias(i % 3) + weak_function(i % 5) +
           deeper(i % 4);
    untyped();
    table[i & 1](i);
  }
  printf("%d\n", sum);
  return 0;
}
