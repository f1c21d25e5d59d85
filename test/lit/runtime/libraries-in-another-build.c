/* A program is linked to an instrumented library, and runs with one that is
   not, or that exports no symbol of the runtime: the program is profiled. */
// RUN: echo '%arcline-cc -g -fPIC -shared -DLIBRARY %s "$@"' > cc
// RUN: sh cc -o lib.so && %arcline-cc -O1 -g %s ./lib.so -o %t
// RUN: %t && %arcline gprof -b -p %t gmon.out | FileCheck %s
// RUN: test -e gmon.out.lib.so && rm gmon.out*
// RUN: echo '{ global: in_library; local: *; };' > map
// RUN: sh cc -o lib.so -Wl,--version-script=map
// RUN: %t && %arcline gprof -b -p %t gmon.out | FileCheck %s
// RUN: test -e gmon.out.lib.so && rm gmon.out*
// RUN: %clang -fPIC -shared -DLIBRARY %s -o lib.so
// RUN: %t && %arcline gprof -b -p %t gmon.out | FileCheck %s
// RUN: not test -e gmon.out.lib.so
// CHECK: {{ }}1000 {{.*}} in_program
#ifdef LIBRARY
int in_library(int number) { return number + 1; }
#else
int in_library(int number);

__attribute__((noinline)) static int in_program(int number) {
  return in_library(number) - 1;
}

int main(void) {
  for (int i = 0; i < 1000; i++)
    if (in_program(i) != i)
      return 1;
  return 0;
}
#endif
