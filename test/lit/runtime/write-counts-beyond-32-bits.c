/* 2^32 + 5 calls on one arc and 2^33 runs of a block, added to the cells by the
   program to save time: GNU gprof and arcline read the full counts, and twice
   as much from two files. */
// REQUIRES: gprof
// RUN: %arcline-cc -O2 %s -o %t
// RUN: %t
// RUN: %arcline gprof -b -q %t | FileCheck %s --check-prefix=CALLS
// RUN: %arcline gprof -b -p %t | FileCheck %s --check-prefix=FLAT
// RUN: %arcline annotate %t | FileCheck %s --check-prefix=LINES
// RUN: %gprof -b -q %t | FileCheck %s --check-prefix=CALLS
// RUN: %gprof -b -p %t | FileCheck %s --check-prefix=FLAT
// RUN: %gprof -b -l -C -z %t | FileCheck %s --check-prefix=BLOCKS
// RUN: %gprof -b -q %t gmon.out gmon.out | FileCheck %s --check-prefix=TWICE
// RUN: %arcline annotate %t gmon.out gmon.out \
// RUN:   | FileCheck %s --check-prefix=LINES2
// CALLS: 4294967301/4294967301 calls
// CALLS-NEXT: leaf
// FLAT: 4294967301 {{.*}} leaf
// LINES: {{^ *}}8589934592 {{.*}}|{{ *}}__asm__ {{.*}} // 2^33
// BLOCKS: write-counts-beyond-32-bits.c:[[#]]: (leaf{{.*}}) 4294967301 executions
// TWICE: 8589934602/8589934602 calls
// LINES2: {{^ *}}17179869184 {{.*}}|{{ *}}__asm__ {{.*}} // 2^33
#include <stdint.h>

#pragma GCC visibility push(hidden)
extern uint64_t __start___arcline_cnts[], __stop___arcline_cnts[];
extern __thread intptr_t __arcline_bias;
#pragma GCC visibility pop

enum { N_CALLS = 50, N_RUNS = 70 };

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

__attribute__((noinline)) static void calls(int n) {
  do
    leaf();
  while (--n);
}

__attribute__((noinline)) static void loop(int n) {
  do {
    __asm__ volatile("" : : "r"(n)); // 2^33
  } while (--n);
}

/* Raises the cells whose value is from. */
__attribute__((no_profile_instrument_function)) static void lift(uint64_t from,
                                                                 uint64_t to) {
  uint64_t *cell =
      (uint64_t *)((intptr_t)__start___arcline_cnts + __arcline_bias);
  uint64_t *end =
      (uint64_t *)((intptr_t)__stop___arcline_cnts + __arcline_bias);

  for (; cell < end; cell++)
    if (*cell == from)
      *cell = to;
}

static volatile int n_runs = N_RUNS; /* or it would be a constant */

int main(void) {
  calls(N_CALLS);
  loop(n_runs);
  // Cells count runs, or ways back in loops.
  for (unsigned less = 0; less < 2; less++) {
    lift(N_CALLS - less, ((uint64_t)1 << 32) + 5 - less);
    lift(N_RUNS - less, ((uint64_t)1 << 33) - less);
  }
  return 0;
}
