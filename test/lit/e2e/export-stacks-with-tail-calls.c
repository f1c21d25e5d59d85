// A function that ends in a jump for its last call is no longer on the stack;
// call stacks have it nevertheless, since the call before it identifies it. So
// its inclusive time is measured, also for functions that do not differ
// otherwise.
//
// DEFINE: %{run} = env ARCLINE_OPTIONS=hz=500:stacks=on
// DEFINE: %{folded} = %arcline export --format=folded
//
// RUN: %arcline-cc -O2 -g -fno-inline %s -o prog && %{run} ./prog
// RUN: llvm-objdump --no-show-raw-insn -d --disassemble-symbols=leave prog \
// RUN:   | FileCheck --check-prefix=JUMP %s
// JUMP: jmp {{.*}}<work>
// RUN: %{folded} prog > stacks && FileCheck %s < stacks
// CHECK: main;leave;work {{[0-9]+$}}
// RUN: grep work stacks | not grep -v leave
// RUN: %{folded} prog | not grep 'leave;leave'
//
// In a library: what main calls is a stub, and leads to a function that jumps.
// RUN: %arcline-cc -O2 -g -fno-inline -fPIC -shared -DLIBRARY %s -o liba.so
// RUN: %arcline-cc -O2 -g -DMAIN %s liba.so -Wl,-rpath,'$ORIGIN' -o dynamic
// RUN: %{run} ./dynamic && %{folded} gmon.out.arcline > stacks
// RUN: FileCheck %s < stacks
// RUN: grep work stacks | not grep -v leave
// RUN: %arcline-cc -O2 -g -fno-inline -static %s -o static && %{run} ./static
// RUN: %{folded} static > stacks && FileCheck %s < stacks
//
// Nothing is added where functions call as they are written.
// RUN: %arcline-cc -O0 -g %s -o plain && %{run} ./plain
// RUN: %{folded} plain > stacks && FileCheck %s < stacks
unsigned leave(unsigned n);

#ifndef MAIN
volatile unsigned result;

unsigned work(unsigned n) {
  for (unsigned i = 0; i < n; i++)
    result = result * 1103515245 + i;
  return result;
}

unsigned leave(unsigned n) {
  result++;
  return work(n);
}
#endif

#ifndef LIBRARY
int main(void) {
  unsigned sum = 0;

  for (int i = 0; i < 100; i++)
    sum += leave(1000000);
  return sum == 1;
}
#endif
