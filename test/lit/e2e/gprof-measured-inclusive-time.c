// Call stacks measure the time of a function and its callees, even if calls of
// one function differ a hundredfold, which counts of calls cannot show; and
// they have the callers in libraries that are not instrumented.
//
// DEFINE: %{check} = %python %S/Inputs/check_measured.py report 'once:15-45*' \
// DEFINE:   'often:15-45*' 'sorter:15-60' 'compare:3-45' 'main:100-100'
// DEFINE: %{run} = env ARCLINE_OPTIONS=hz=500:stacks=on
//
// RUN: %arcline-cc -O2 -g %s -o prog && %{run} ./prog
// RUN: %arcline gprof prog > report && %{check}
// RUN: FileCheck %s < report
// CHECK: Inclusive time:
// CHECK: Call stacks of {{[0-9]+}} samples, from {{[0-9]+}} signals;
// CHECK-SAME: {{9[0-9]|100}}.{{[0-9]}} % complete.
// CHECK: measured{{ +}}propagated
//
// What the library's functions call has callers, and no number of calls; that
// qsort() jumps to the first of these hides it not.
// RUN: FileCheck %s --check-prefix=CALLER < report
// CALLER: Call graph
// CALLER: {{^\[[0-9]+\] .* }}sorter [
// CALLER-NEXT: {{ 150/150 +}}qsort [
// RUN: FileCheck %s --check-prefix=LIBRARY < report
// LIBRARY: Call graph
// LIBRARY: {{^\[[0-9]+\] .* }}qsort [
// LIBRARY-NEXT: {{^ +[0-9.]+ +[0-9.]+ +}}{{qsort|msort|__}}
//
// RUN: %arcline-cc -O0 -static %s -o static && %{run} ./static
// RUN: %arcline gprof static > report && %{check}
// RUN: %arcline gprof static | grep 'the two differ by more than chance'
//
// Not without stacks, and not in what is GNU gprof's.
// RUN: %arcline gprof --no-side static | not grep Inclusive
// RUN: %arcline gprof -l static | not grep Inclusive
// RUN: %arcline gprof -b static | not grep Inclusive
// RUN: env ARCLINE_OPTIONS=hz=500:stacks=off ./prog
// RUN: %arcline gprof prog | not grep Inclusive
#include <stdio.h>
#include <stdlib.h>

enum { N_ROUNDS = 150, N_SHORT = 100, N_STEPS = 10000, N_VALUES = 20000 };

static unsigned values[N_VALUES];
static volatile unsigned result;

__attribute__((noinline)) static unsigned work(unsigned n) {
  unsigned sum = n;

  for (unsigned i = 0; i < n; i++)
    sum = (sum << 5 | sum >> 27) ^ (sum * 2654435761u + i);
  result += sum;
  return sum;
}

__attribute__((noinline)) static unsigned once(void) {
  return work(N_SHORT * N_STEPS) + 1;
}

__attribute__((noinline)) static unsigned often(void) {
  unsigned sum = 0;

  for (int i = 0; i < N_SHORT; i++)
    sum += work(N_STEPS);
  return sum;
}

__attribute__((noinline)) static int compare(const void *a, const void *b) {
  const unsigned x = *(const unsigned *)a;
  const unsigned y = *(const unsigned *)b;

  return (x > y) - (x < y);
}

__attribute__((noinline)) static void sorter(unsigned seed) {
  for (unsigned i = 0; i < N_VALUES; i++)
    values[i] = seed = seed * 1664525u + 1013904223u;
  qsort(values, N_VALUES, sizeof(*values), compare);
  result += values[0]; // or the call would take the caller's place
}

int main(void) {
  unsigned sum = 0;

  for (unsigned round = 0; round < N_ROUNDS; round++) {
    sum += once() + often();
    sorter(round);
  }
  printf("%u\n", sum + values[0]);
  return 0;
}
