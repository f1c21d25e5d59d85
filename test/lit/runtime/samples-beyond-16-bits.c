/* 70,000 and 10^6 samples in one bin, and a hundred files of them: exact with
   GNU gprof and with arcline. (unit-rt_gmon tests the runtime's output for
   that.) */
// REQUIRES: gprof
// RUN: %arcline-cc -O2 %s -o %t && env ARCLINE_OPTIONS=hz=0 %t
// RUN: echo '%python %S/Inputs/add_samples.py $1 \
// RUN:   $(llvm-nm %t | sed -n "s/ t leaf$//p") $2' > add
// RUN: cp gmon.out small && sh add small 70000
// RUN: cp gmon.out large && sh add large 1000000
// RUN: %gprof -b -p %t small | FileCheck %s --check-prefix=SMALL
// RUN: %arcline gprof -b -p %t small | FileCheck %s --check-prefix=SMALL
// RUN: %gprof -b -p %t large | FileCheck %s --check-prefix=LARGE
// RUN: %arcline gprof -b -p %t large | FileCheck %s --check-prefix=LARGE
// RUN: for i in 0 1 2 3 4 5 6 7 8 9; do for k in 0 1 2 3 4 5 6 7 8 9; do \
// RUN:   echo large; done; done > hundred
// RUN: %arcline gprof -b -p %t $(cat hundred) | FileCheck %s
// RUN: %gprof -b -p %t $(cat hundred) | FileCheck %s
// SMALL: 100.00 700.00 700.00 7 100.00 100.00 leaf
// LARGE: 100.00 10000.00 10000.00 7 {{.*}} leaf
// CHECK: 100.00 1000000.00 1000000.00 700 {{.*}} leaf
__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

int main(void) {
  for (int i = 0; i < 7; i++)
    leaf();
  return 0;
}
