/* A function in several versions, of which a resolver made by the compiler
   picks the best before the program starts, in every link mode: its callees'
   calls are counted. */
// RUN: for flags in -pie '-pie -Wl,-z,now' -no-pie -static -static-pie; do \
// RUN:   %arcline-cc -O2 $flags %s -o %t && %t > truth && \
// RUN:   %check-truth %t %s truth gmon.out || exit 1; done
// REQUIRES: x86_64
#include <stdio.h>

static int line;

__attribute__((noinline)) static void leaf(void) {
  __asm__ volatile("");
  line = __LINE__ - 1;
}

__attribute__((target_clones("avx2", "sse4.2", "default"))) int best(int n) {
  int sum = 0;

  for (int i = 0; i < n; i++) {
    sum += i * i;
    leaf();
  }
  return sum;
}

int main(void) {
  const int sum = best(1000);

  printf("calls leaf 1000\nline %d 1000\n", line);
  return sum == 332833500 ? 0 : 1;
}
