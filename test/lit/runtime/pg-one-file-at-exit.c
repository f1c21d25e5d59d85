/* gcrt1.o requests a file at exit, too, after it was written; the program may
   have requested some before, and continues. */
// RUN: %cc -pg -I%include %s -o %t -L%libdir -larcline
// RUN: ARCLINE_OPTIONS=verbose=1 %t 2> messages
// RUN: FileCheck %s < messages
// RUN: ARCLINE_OPTIONS=verbose=1 %t early 2> messages
// RUN: FileCheck --check-prefix=EARLY %s < messages
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | \
// RUN:   FileCheck --check-prefix=ARCS %s
// CHECK: wrote gmon.out{{$}}
// CHECK-NOT: gmon.out{{$}}
// EARLY-COUNT-3: wrote gmon.out{{$}}
// EARLY-NOT: gmon.out{{$}}
// ARCS-COUNT-2: arc main leaf 1
#include "arcline/arcline.h"

static void leaf(void) { __asm__ volatile(""); }

int main(int argc, char **argv) {
  (void)argv;
  leaf();
  if (argc == 1)
    return 0;
  _mcleanup();
  _mcleanup();
  monstartup(0, 1);
  leaf();
  return 0;
}
