/* Whichever system call of the runtime's start or of a dump fails, in whichever
   way it may, writes that are interrupted or shorter than asked for included:
   the program ends as it would have, no temporary file is left, and there is
   the old file with one line of explanation or the new one without. Also when
   all later ones fail, and when samples come at any time. */
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
