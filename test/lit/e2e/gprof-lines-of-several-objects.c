// Lines, annotated source and execution counts of two objects at once; each
// with the addresses of its own image, and a header that both include once. (In
// DWARF 5 GNU gprof confuses two files, and so does Arcline.)
// RUN: cp %s shared.h && echo '#define LIBRARY' > lib.c
// RUN: echo '#include "shared.h"' >> lib.c && echo '#include "shared.h"' > main.c
// RUN: %arcline-cc -gdwarf-4 -O1 -fPIC -shared lib.c -o lib.so
// RUN: %arcline-cc -gdwarf-4 -O1 main.c ./lib.so -Wl,-rpath,$PWD -o prog && ./prog
// RUN: %arcline gprof -b -l -p -L gmon.out.arcline > lines
// RUN: grep -q "only_lib (.*/shared.h:[0-9]* @ $(llvm-nm lib.so | sed -n 's/^0*\(.*\) T only_lib$/\1/p'))" lines
// RUN: grep -q "main (.*/shared.h:[0-9]* @ $(llvm-nm prog | sed -n 's/^0*\(.*\) T main$/\1/p'))" lines
// RUN: %arcline gprof -b -C gmon.out.arcline 2> err > counts
// RUN: grep -q "shared.h:[0-9]*: (both:0x$(llvm-nm lib.so | sed -n 's/^0*\(.*\) t both$/\1/p')) 30 executions" counts
// RUN: grep -q "shared.h:[0-9]*: (both:0x$(llvm-nm prog | sed -n 's/^0*\(.*\) t both$/\1/p')) 12 executions" counts
// RUN: %arcline gprof -b -l -C gmon.out.arcline > blocks
// RUN: test $(wc -l < blocks) -gt $(wc -l < counts)
// RUN: %arcline gprof -b -A gmon.out.arcline > source 2> err
// RUN: grep -c 'File .*shared.h:$' source | grep -qx 1
// RUN: FileCheck %s < source
// CHECK:     42 -> static __attribute__((noinline)) int both(int n) {
// CHECK:      3 -> int only_lib(int n) {
// CHECK:      1 -> int main(void) {
// A selection by file or function is one of both objects.
// RUN: %arcline gprof -b -pshared.h gmon.out.arcline > selected
// RUN: grep -c both selected | grep -qx 2
// RUN: %arcline gprof -b -qboth gmon.out.arcline | grep -c '^\[.* both \[' | grep -qx 2
static __attribute__((noinline)) int both(int n) {
  __asm__ volatile("");
  return n * n;
}

#ifdef LIBRARY
int only_lib(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += both(i);
  return sum;
}
#else
int only_lib(int n);

int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += only_lib(10);
  for (int i = 0; i < 12; i++)
    sum += both(i);
  return sum == 0;
}
#endif
