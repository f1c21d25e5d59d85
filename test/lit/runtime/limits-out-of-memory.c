/* A thread that cannot allocate counters counts in memory that all threads
   share. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t
// RUN: %t 2>&1 | FileCheck %s --check-prefix=MESSAGE
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | FileCheck %s
// MESSAGE: arcline: profile: cannot write: Out of memory; no profile written
// MESSAGE-NEXT: arcline: threads share counters{{.*}} 1{{$}}
// MESSAGE-NOT: arcline
// CHECK: arc main leaf 1000
// CHECK: arc main leaf 1000
// CHECK: arc main pick 1000
// CHECK: arc main pick 1000
// CHECK: block pick+0 2000
// CHECK: block pick_1+0 1000
#include <stdlib.h>
#include <sys/resource.h>

#include "arcline/arcline.h"
#include "instrument.h"

PICK_DATA

/* More counters than fit in the memory that is taken at the start. */
__asm__(".pushsection __arcline_cnts,\"aw\"\n"
        ".balign 8\n.zero 1048576\n.popsection\n");

static NOINLINE void leaf(void) { CALLED(leaf); }

int main(void) {
  const struct rlimit none = {0, RLIM_INFINITY};
  const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};

  setrlimit(RLIMIT_AS, &none);
  for (int i = 0; i < 1000; i++) {
    leaf();
    pick(1);
  }
  arcline_dump(); // has the memory that was taken at the start
  if (arcline_dump() == 0)
    return 1;
  setrlimit(RLIMIT_AS, &all);
  for (int i = 0; i < 1000; i++) {
    leaf();
    pick(0);
  }
  return 0;
}
