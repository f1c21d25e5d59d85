// The assembler cannot compute distances between sections: a function whose blocks
// are in several of them has no addresses of blocks.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fbasic-block-sections=all -fpass-plugin=%plugin -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s
// RUN: %clang --target=x86_64-linux-gnu -O2 -fbasic-block-sections=all -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: %clang --target=x86_64-linux-gnu -O2 -fbasic-block-sections=none -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// CHECK: f.__part.1
// IR-NOT: blockaddress
// IR: @__arcline_plan =
// IR-NOT: blockaddress
// NONE: blockaddress
int g(int);
int f(int x) {
  int sum = 0;
  for (int i = 0; i < x; i++)
    if (g(i))
      sum += g(i + 2);
    else
      sum -= g(3);
  return sum;
}
