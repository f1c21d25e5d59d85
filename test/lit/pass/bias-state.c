// Only code of shared libraries can run before there is thread-local storage.
// RUN: env ARCLINE_PASS_OPTIONS=segment=off %clang -fno-discard-value-names -O1 -fno-pie -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=__arcline_ready
// RUN: env ARCLINE_PASS_OPTIONS=segment=off %clang -fno-discard-value-names -O1 -fPIE -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=__arcline_ready
// RUN: env ARCLINE_PASS_OPTIONS=segment=off %clang -fno-discard-value-names -O1 -fPIC -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,LIBRARY

// LIBRARY: @__arcline_ready = external hidden global i8
int global;
int (*pointer)(int);

// A static function that only counting functions call finds the bias set.
__attribute__((noinline)) static int behind(int x) { return global = x; }

// Whoever has its address may call this one.
__attribute__((noinline)) static int exposed(int x) { return global = x + 1; }

// CHECK-LABEL: define {{.*}} @outer(
// LIBRARY:       load i8, ptr @__arcline_ready
// CHECK:         @__arcline_bias)
// CHECK:         call {{.*}} @__arcline_bias_slow()
int outer(int x) {
  pointer = exposed;
  return behind(x) + 1;
}

// CHECK-LABEL: define {{.*}} @exposed(
// LIBRARY:       load i8, ptr @__arcline_ready
// CHECK:         @__arcline_bias)
// CHECK:         call {{.*}} @__arcline_bias_slow()

// CHECK-LABEL: define {{.*}} @behind(
// CHECK-NOT:     __arcline_ready
// CHECK:         @__arcline_bias)
// CHECK-NOT:     @__arcline_bias_slow()
// CHECK:       }
