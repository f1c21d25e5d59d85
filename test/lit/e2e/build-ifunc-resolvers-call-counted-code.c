// A resolver of an ifunc may run before thread-local storage exists; its calls
// are counted all the same, in every link mode. glibc 2.36 has no -static-pie for
// RISC-V.
// RUN: for mode in -pie -no-pie -static %if !riscv64 %{-static-pie%}; do for level in 0 2; do \
// RUN:   rm -f %t.gmon && \
// RUN:   %arcline-cc -O$level $mode %s -o %t && \
// RUN:   env ARCLINE_OPTIONS=out=%t.gmon %t && \
// RUN:   %arcline annotate %t %t.gmon | FileCheck %s || exit 1; done; done
// CHECK: helper: called 3 times
__attribute__((noinline)) int helper(int x) {
  __asm__ volatile("");
  return x * 2;
}

static int doubled(void) { return helper(1); }

static int (*resolve(void))(void) { return helper(3) == 6 ? doubled : 0; }

int pick(void) __attribute__((ifunc("resolve")));

int main(void) { return pick() + helper(2) == 6 ? 0 : 1; }
