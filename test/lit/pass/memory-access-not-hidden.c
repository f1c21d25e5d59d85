// Counters do not alias: a value that was loaded before an update need not be
// loaded again after it.
// RUN: %clang -fno-discard-value-names -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: define {{.*}} @twice(
// CHECK:         load i32, ptr %p
// CHECK-NOT:     load i32, ptr %p
// CHECK:         ret i32
int twice(const int *p, int c, float *q) {
  int x = *p;
  if (c)
    *q = 1;
  return x + *p;
}
// CHECK-LABEL: define {{.*}} @longs(
// CHECK:         load i64, ptr %p
// CHECK-NOT:     load i64, ptr %p
// CHECK:         ret i64
long longs(const long *p, int c, float *q) {
  long x = *p;
  if (c)
    *q = 1;
  return x + *p;
}
