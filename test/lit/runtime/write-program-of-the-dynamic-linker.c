/* The dynamic linker may be run as a program, with the executable as its
   operand. The side file has the path of the executable then, not the dynamic
   linker's, so that reports find it, also if the program changes its folder. */
// RUN: mkdir -p there
// RUN: for options in '-O0' '-O2' '-O2 -no-pie'; do \
// RUN:   %arcline-cc -g $options %s -o prog || exit 1; \
// RUN:   llvm-readelf -l prog \
// RUN:     | sed -n 's/.*interpreter: \(.*\)]/\1/p' > linker; \
// RUN:   for file in ./prog $PWD/prog; do \
// RUN:     rm -f there/*; $(cat linker) $file || exit 1; \
// RUN:     grep " $PWD/prog$" there/gmon.out.arcline || exit 1; \
// RUN:     (cd there && %arcline report) | FileCheck %s || exit 1; \
// RUN:   done; \
// RUN: done
// CHECK: 13 {{.*}}work
#include <unistd.h>

static __attribute__((noinline)) void work(void) { __asm__ volatile(""); }

int main(void) {
  for (int i = 0; i < 13; i++)
    work();
  return chdir("there");
}
