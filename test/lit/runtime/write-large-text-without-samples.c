/* Megabytes of zeros in a histogram become a hole in the file, which reads like
   any other; the data after it is in its place. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: env ARCLINE_OPTIONS=hz=0 %t
// RUN: %arcline dump gmon.out | FileCheck %s
// RUN: test $(stat -c %%s gmon.out) -gt 4000000
// CHECK: histogram low=0x{{[0-9a-f]+}} high=0x{{[0-9a-f]+}} bins=20{{[0-9]+}}
// CHECK-NEXT: arc {{.*}} count=1
#include "instrument.h"

__asm__(".pushsection .text\n.space 4000000\n.popsection\n");

static NOINLINE void leaf(void) { CALLED(leaf); }

int main(void) {
  leaf();
  return 0;
}
