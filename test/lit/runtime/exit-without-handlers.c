/* _exit() and _Exit() write a profile, in every link mode, and keep the status.
   They write none in a vfork()ed child, which runs in its parent's memory, and
   with _exit=off. */
// RUN: for mode in -O2 -no-pie -static '-static-pie -fPIE' -fuse-ld=gold; do \
// RUN:   %cc $mode -I%include -I%S/Inputs %s -L%libdir -larcline -o %t \
// RUN:     || exit 1; \
// RUN:   for how in _exit _Exit; do \
// RUN:     ARCLINE_OPTIONS=_exit=off %t $how; test $? = 7 || exit 1; \
// RUN:     test ! -e gmon.out || exit 1; \
// RUN:     %t $how; test $? = 7 || exit 1; \
// RUN:     %python %S/Inputs/gmon.py llvm-nm %t gmon.out || exit 1; \
// RUN:     rm gmon.out; \
// RUN:   done; \
// RUN: done > texts
// RUN: grep -cx 'arc main leaf 1' texts | grep -x 10
// RUN: env ARCLINE_OPTIONS=out=%%p.gmon %t vfork > pid
// RUN: ls *.gmon | diff pid -
// RUN: %python %S/Inputs/gmon.py llvm-nm %t $(cat pid) | FileCheck %s
// CHECK-COUNT-2: arc main leaf 1{{$}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "instrument.h"

static NOINLINE void leaf(void) { CALLED(leaf); }

int main(int argc, char **argv) {
  leaf();
  if (argc > 1 && !strcmp(argv[1], "vfork")) {
    if (vfork() == 0) {
      leaf();
      _exit(1);
    }
    printf("%d.gmon\n", (int)getpid());
    return 0;
  }
  if (argc > 1 && !strcmp(argv[1], "_Exit"))
    _Exit(7);
  _exit(7);
}
