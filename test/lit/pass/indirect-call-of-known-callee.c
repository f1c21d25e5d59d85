// An indirect call that the optimiser finds to be one of a known function is
// counted as any other indirect call; the call itself is direct.
// RUN: %clang -fno-discard-value-names -O2 -g -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
typedef int (*operation)(int);
__attribute__((noinline)) static int twice(int x) { return 2 * x; }
static int apply(operation f, int x) { return f(x); }
int known(int x) { return apply(twice, x); }
// CHECK-LABEL: define {{.*}} @known(
// CHECK:         load ptr, ptr @__arcline_site.table
// CHECK:         icmp {{eq|ne}} ptr {{.*}}@twice
// CHECK:         @__arcline_indirect(ptr {{.*}}, ptr {{.*}}@twice)
// CHECK:         call {{.*}}i32 @twice(
