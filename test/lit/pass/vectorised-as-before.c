// Counting does not keep loops from being vectorised, also with branches in them,
// as long as the counts are kept in registers.
// RUN: %clang --target=x86_64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang --target=x86_64-linux-gnu -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: env ARCLINE_PASS_OPTIONS=promote=off %clang --target=x86_64-linux-gnu -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// CHECK-LABEL: @add(
// CHECK:         add {{.*}}<{{[0-9]+}} x i32>
// CHECK-LABEL: @sum(
// CHECK:         add {{.*}}<{{[0-9]+}} x i32>
void add(int *restrict to, const int *restrict from, int n) {
  for (int i = 0; i < n; i++)
    to[i] += from[i];
}
// OFF-LABEL: @sum(
// OFF-NOT:   x i32>
int sum(const int *from, int n) {
  int result = 0;
  for (int i = 0; i < n; i++)
    if (from[i] > 3)
      result += from[i];
  return result;
}
