// A report of one image has a hint if most time is in another measured image,
// with the command that shows it.
//
// RUN: %arcline-cc -O1 -g -fPIC -shared -DLIBRARY %s -o libwork.so
// RUN: %arcline-cc -O1 -g %s -o prog -L. -lwork -Wl,-rpath,$PWD && ./prog
// RUN: %arcline gprof -b prog 2>&1 > report | FileCheck %s
// CHECK: arcline: warning: {{[1-9][0-9]+}} % of the samples are in other
// CHECK-SAME: instrumented objects, most of them in libwork.so;
// CHECK-SAME: `arcline gprof gmon.out.arcline' reports all of them as one program
// RUN: %python %S/Inputs/check_shares.py report 'main->work=3' 'work<=0'
// RUN: %arcline annotate prog 2>&1 > out | FileCheck %s
//
// That one has nothing to say, nor has one that knows of no side file.
// RUN: %arcline gprof -b gmon.out.arcline 2> hint > report && count 0 < hint
// RUN: %python %S/Inputs/check_shares.py report 'main->work=3' 'work>=50'
// RUN: %arcline gprof -b --no-side prog 2> hint > out && count 0 < hint
#ifdef LIBRARY
long work(void) {
  long sum = 0;
  for (volatile long i = 0; i < 100000000; i++)
    sum += i;
  return sum;
}
#else
long work(void);

int main(void) { return work() + work() + work() == 1; }
#endif
