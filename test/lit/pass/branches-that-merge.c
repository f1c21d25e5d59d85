// Two questions become one branch, counted or not. LLVM 22 keeps both.
// UNSUPPORTED: llvm-22
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
extern void tame(void) __attribute__((nothrow));

// CHECK-LABEL: define {{.*}} @digit(
// CHECK:         icmp ult
// CHECK:         br i1
// CHECK-NOT:     br i1
// CHECK:       }
void digit(int c) {
  if ('0' <= c && c <= '9')
    tame();
}
