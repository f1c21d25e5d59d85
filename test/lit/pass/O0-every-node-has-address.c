// Code that is not optimised has an address for every node, also after calls.
// RUN: %clang -O0 -g -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK: @__arcline_plan = private local_unnamed_addr global <{ [{{.*}} x i8], [2 x i8], [4 x i32], [4 x i8] }>
int g(void);
int f(int x) {
  int a = g();
  if (x)
    a += 1;
  return a;
}
