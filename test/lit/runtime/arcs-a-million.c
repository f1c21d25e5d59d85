/* 10^6 distinct arcs, and an indirect call with 10^5 callees, each of which is
   called three times: all are recorded, and growing costs little per call. */
// RUN: %arcline-cc -O2 %s -o %t
// RUN: %t
// RUN: %arcline gprof -b -p %t | FileCheck %s
// RUN: %arcline dump gmon.out > dump
// RUN: grep -c '^arc .* count=2$' dump | grep -x 1000000
// RUN: grep -c '^arc .* count=3$' dump | grep -x 100000
// CHECK: 2000000 {{.*}} callee
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N_ARCS = 1000000, N_CALLEES = 100000, CALLEE_BYTES = 16 };

/* Room for made-up addresses of calls, and functions that return. */
__asm__(".text\nplaces: .skip 1000000\n"
        ".p2align 4\n"
        "callees: .rept 100000\n"
#ifdef __x86_64__
        "ret\n"
#else
        "ret\n.skip 4\n"
#endif
        ".p2align 4\n.endr\n");
extern const char places[] __attribute__((visibility("hidden")));
extern const char callees[] __attribute__((visibility("hidden")));

#pragma GCC visibility push(hidden)
void __arcline_mcount(const void *return_pc, const void *self_pc);
#pragma GCC visibility pop

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

__attribute__((noinline)) static void callee(void) { __asm__ volatile(""); }

__attribute__((no_profile_instrument_function)) static void
count(unsigned long at) {
  __arcline_mcount(places + 1 + at, (const void *)(uintptr_t)callee);
}

int main(void) {
  const double start = seconds();

  for (int round = 0; round < 2; round++)
    for (unsigned long i = 0; i < N_ARCS; i++)
      count(i * 7919 % N_ARCS);
  const double middle = seconds();
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < N_CALLEES; i++)
      ((void (*)(void))(uintptr_t)(callees + CALLEE_BYTES * i))();
  fprintf(stderr, "%.0f ns per arc, %.0f ns per indirect call\n",
          (middle - start) / (2 * N_ARCS) * 1e9,
          (seconds() - middle) / (3 * N_CALLEES) * 1e9);
  return 0;
}
