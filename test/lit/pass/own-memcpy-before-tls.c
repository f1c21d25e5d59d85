// A program may define its own memcpy(), which the C library of a static
// executable calls to set up thread-local storage.
// RUN: env ARCLINE_PASS_OPTIONS=segment=off %clang -fno-discard-value-names -O1 -fno-builtin -fno-pie -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
unsigned long total;

__attribute__((noinline)) static void helper(unsigned long n) { total += n; }

// CHECK-LABEL: define {{.*}} @memcpy(
// CHECK:         load i8, ptr @__arcline_ready
// CHECK:         @__arcline_bias)
void *memcpy(void *to, const void *from, unsigned long n) {
  helper(n);
  return to;
}

// memcpy() has not requested the bias before it existed.
// CHECK-LABEL: define {{.*}} @helper(
// CHECK:         @__arcline_bias_slow()

// CHECK-LABEL: define {{.*}} @other(
// CHECK-NOT:     @__arcline_ready
// CHECK:         @__arcline_bias)
void *other(void *to, unsigned long n) {
  helper(n);
  return to;
}
