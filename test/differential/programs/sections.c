/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// Code in several sections, ifuncs, and assembly with few directives.
#include <stdio.h>

int assembly_untyped(int n);
int assembly_odd(int n);

__attribute__((section(".hot_code"), noinline)) int elsewhere(int n) {
  volatile int i;

  for (i = 0; i < n; i++)
    ;
  return i;
}

__attribute__((section(".text.zz_last"), noinline)) static int last(int n) {
  return elsewhere(n) + 1;
}

int chosen_slow(int n) { return elsewhere(n + 1); }
int chosen_fast(int n) { return elsewhere(n); }
#ifdef HAS_IFUNC
__attribute__((no_instrument_function)) static int (*choose(void))(int) {
  return chosen_fast;
}
int chosen(int n) __attribute__((ifunc("choose")));
#else
int chosen(int n) { return chosen_slow(n); }
#endif

__attribute__((constructor)) static void before(void) { elsewhere(3); }
__attribute__((destructor)) static void after(void) { elsewhere(4); }

// Data that a profiler treats as code: weak, and outside of the text.
__attribute__((weak)) int weak_data = 1;
__attribute__((weak)) const char weak_text[] = "no code";

int main(void) {
  int sum = weak_data + weak_text[0];

  for (int i = 0; i < 2000; i++)
    sum += last(i % 20) + chosen(i % 30) + assembly_untyped(i) + assembly_odd(i);
  printf("%d\n", sum);
  return 0;
}
