// Cases of a switch that differ in values only: at link time, LLVM 19 and
// earlier makes tables of the values, and may not make one of the counters'
// addresses, which no initial value can have.
// REQUIRES: lld
// RUN: sed -n 's,.*// \([0-9]*\)$,\1,p' %s > expected
// RUN: grep -n '// [0-9]*$' %s | cut -d: -f1 > lines
// RUN: for how in -flto -flto=thin '-flto -ffat-lto-objects'; do \
// RUN:   %arcline-cc -O2 -g $how -fuse-ld=lld %s -o %t && rm -f gmon.out* && \
// RUN:   %t && %arcline export --format=lcov -o lines.info %t && \
// RUN:   while read -r line; do sed -n "s/^DA:$line,//p" lines.info; done \
// RUN:     < lines | diff expected - || exit 1; \
// RUN: done
//
// RUN: %arcline-cc -O2 -g -flto -S -emit-llvm %s -o - | FileCheck %s
// CHECK-NOT: inbounds {{.*}}addrspace(256)
#include <stddef.h>

static volatile int sum;

__attribute__((noinline)) static const char *name(int kind) {
  switch (kind) { // 90
  case 0:
    return "zero"; // 10
  case 1:
    return "one"; // 10
  case 2:
    return "two"; // 10
  case 3:
    return "three"; // 10
  case 4:
    return "four"; // 10
  default:
    return NULL; // 40
  }
}

__attribute__((noinline)) static int pick(int kind, int start) {
  int value;
  switch (kind) { // 90
  case 0:
    value = 3; // 10
    break;
  case 1:
    value = 9; // 10
    break;
  case 2:
    value = 27; // 10
    break;
  case 3:
    value = 1; // 10
    break;
  default:
    value = 5; // 50
  }
  return value + start; // 90
}

int main(void) {
  for (int i = 0; i < 90; i++)
    sum += pick(i % 9, i) + (name(i % 9) != NULL);
  return 0;
}
