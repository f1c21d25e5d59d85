/* Functions of a few bytes, adjacent and without padding: arcs are exact, even
   if a call is the last instruction of its caller. */
// RUN: echo '%t > truth && %check-truth "$@" %t %s truth gmon.out' > check
// RUN: echo '%arcline dump gmon.out | grep -c self=0x0 | grep -x 0' >> check
// RUN: %arcline-cc -Os -falign-functions=1 %s -o %t
// RUN: sh -e check
// RUN: %arcline gprof -b -q %t | FileCheck %s
// RUN: %gprof -b -q %t 2>/dev/null | FileCheck %s
// RUN: %arcline-cc -Os -falign-functions=1 --arcline-calls-only %s -o %t
// RUN: sh -e check --no-blocks
// RUN: %arcline gprof -b -q %t | FileCheck %s
// RUN: env ARCLINE_PASS_OPTIONS=calls=mcount:blocks=off %arcline-cc -Os \
// RUN:   -falign-functions=1 %s -o %t
// RUN: sh -e check --no-blocks
// RUN: %arcline gprof -b -q %t | FileCheck %s
// REQUIRES: gprof
// CHECK-DAG: 1000/6001 {{ *}}by_one
// CHECK-DAG: 2000/6001 {{ *}}by_two
// CHECK-DAG: 3000/6001 {{ *}}by_three
// CHECK-DAG: 1/6001 {{ *}}by_last
// CHECK-DAG: {{\[[0-9]+\]}} {{.*}} tiny [
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, disable_tail_calls))

NOINLINE void tiny(void) { __asm__ volatile(""); }
NOINLINE void by_one(void) { tiny(); }
NOINLINE void by_two(void) { tiny(), tiny(); }
NOINLINE __attribute__((noreturn)) void by_last(void) {
  tiny();
  exit(0);
}
NOINLINE void by_three(void) { tiny(), tiny(), tiny(); }

int main(void) {
  static int line;

  for (int i = 0; i < 1000; i++) {
    by_one(), by_two(), by_three();
    line = __LINE__ - 1;
  }
  printf("calls tiny 6001\ncalls by_one 1000\ncalls by_two 1000\n");
  printf("calls by_three 1000\ncalls by_last 1\nline %d 1000\n", line);
  fflush(stdout);
  by_last();
}
