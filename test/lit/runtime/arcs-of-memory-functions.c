// clang makes intrinsics of memcpy(), memmove() and memset() before the pass
// sees them: calls of them are counted as such, if they become calls again.
// RUN: %arcline-cc -O0 %s -o %t && %t
// RUN: %arcline dump gmon.out.arcline > side
// RUN: FileCheck %s < side && FileCheck %s --check-prefix=FEW < side
// RUN: %arcline-cc -O2 %s -o %t2 && %t2
// RUN: %arcline dump gmon.out.arcline | FileCheck %s
// RUN: %arcline-cc -O2 -fno-builtin %s -o %t3 && %t3
// RUN: %arcline dump gmon.out.arcline | FileCheck %s
// With a length that may be expanded, none is counted.
// FEW-NOT: count=10 name=mem
// CHECK-DAG: call {{.*}} count=30 name=memset
// CHECK-DAG: call {{.*}} count=40 name=memcpy
// CHECK-DAG: call {{.*}} count=50 name=memmove
// CHECK-DAG: call {{.*}} count=60 name=memset
#include <string.h>

static char here[1 << 13], there[1 << 13];

__attribute__((noinline)) static void fill(size_t n) { memset(here, 1, n); }
__attribute__((noinline)) static void copy(size_t n) { memcpy(there, here, n); }
__attribute__((noinline)) static void move(size_t n) {
  memmove(here + 1, here, n);
}
__attribute__((noinline)) static void fill_much(void) {
  memset(there, 2, 4096);
}
#ifndef __NO_BUILTIN__
__attribute__((noinline)) static void fill_little(void) {
  memset(there, 3, 16);
}
#endif

int main(void) {
  volatile size_t n = 1000;
  for (int i = 0; i < 30; i++)
    fill(n);
  for (int i = 0; i < 40; i++)
    copy(n);
  for (int i = 0; i < 50; i++)
    move(n);
  for (int i = 0; i < 60; i++)
    fill_much();
#ifndef __NO_BUILTIN__
  for (int i = 0; i < 10; i++)
    fill_little();
#endif
  return here[1] + there[1] == 0;
}
