/* Each system call of the runtime's start and of a dump fails, in each possible
   way, including interrupted and short writes: the program ends as usual, no
   temporary file is left, and there is either the old file and one line of
   explanation or the new file. The same is tested with all later calls failing,
   and with samples at any time. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: %cc -O2 %S/Inputs/fail_syscalls.c -o driver
// RUN: env ARCLINE_OPTIONS=hz=0 ./driver %t 7 | FileCheck %s
// RUN: env ARCLINE_OPTIONS=hz=0 ./driver %t 7 all | FileCheck %s
// RUN: %cc -O2 -DSTART -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: env ARCLINE_OPTIONS=hz=10000 ./driver %t 7 | FileCheck %s
// RUN: env ARCLINE_OPTIONS=hz=10000 ./driver %t 7 all | FileCheck %s
// RUN: env ARCLINE_OPTIONS=hz=10000:stacks=on ./driver %t 7 | FileCheck %s
// RUN: env ARCLINE_OPTIONS=hz=10000:stacks=on ./driver %t 7 all | FileCheck %s
// CHECK-NOT: call
// CHECK: {{[0-9][0-9]}} system calls, {{[0-9][0-9]+}} runs, 0 faults
#include <unistd.h>

#include "instrument.h"

PICK_DATA

static NOINLINE void leaf(void) { CALLED(leaf); }

/* The driver counts from here. */
static void mark(void) { getppid(); }

#ifdef START
__attribute__((section(".preinit_array"),
               used)) static void (*const first)(void) = mark;
#endif

int main(void) {
  for (int i = 0; i < 1000; i++) {
    leaf();
    pick(i & 1);
  }
  mark();
  return 7;
}
