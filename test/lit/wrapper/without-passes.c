// If clang runs no passes, the plugin's do not run either. The marks that the
// wrapper requests for them would become calls of mcount then, which find no
// caller in code without frames. So there are no marks, the program is that of
// plain clang, and a warning reports that it is not counted.
//
// RUN: for option in -disable-llvm-passes -disable-llvm-optzns; do \
// RUN:   for level in -O0 -O2; do \
// RUN:     %arcline-cc $level -g -Xclang $option %s -o prog 2> messages || exit 1; \
// RUN:     FileCheck %s --check-prefix=WARNING < messages || exit 1; \
// RUN:     ./prog | FileCheck %s || exit 1; \
// RUN:     %arcline-cc $level -S -emit-llvm -Xclang $option %s -o ours.ll 2> messages; \
// RUN:     %clang $level -S -emit-llvm -Xclang $option %s -o plain.ll; \
// RUN:     cmp ours.ll plain.ll || exit 1; \
// RUN:   done; \
// RUN: done
// WARNING: {{^}}arcline-cc: warning: code is not instrumented:
// WARNING-SAME: with -disable-llvm-passes clang does not run the plugin
// WARNING-NOT: {{.}}
//
// The passes may come later, by hand.
// RUN: %arcline-cc -O2 -g -Xclang -disable-llvm-passes -emit-llvm -c %s -o one.bc
// RUN: opt -passes=mem2reg one.bc -o two.bc
// RUN: %arcline-cc -O2 two.bc -o prog && ./prog | FileCheck %s
// RUN: %arcline gprof -b -p prog | FileCheck %s --check-prefix=COUNTED
//
// The driver does it by itself, once, to save what lies in between.
// RUN: %arcline-cc -O2 -g -save-temps %s -o prog 2> messages
// RUN: not grep 'arcline-cc:' messages
// RUN: ./prog && %arcline gprof -b -p prog | FileCheck %s --check-prefix=COUNTED
// COUNTED: 13 {{.*}} work{{$}}
//
// CHECK: 13
#include <stdio.h>

static __attribute__((noinline)) int work(int x) { return x + 1; }

int main(void) {
  int sum = 0;
  for (int i = 0; i < 13; i++)
    sum = work(sum);
  printf("%d\n", sum);
  return 0;
}
