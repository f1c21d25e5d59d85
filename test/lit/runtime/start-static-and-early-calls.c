/* In every link mode, calls from ifunc resolvers, which run before thread-local
   storage and relocation, and from constructors and destructors are counted. */
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -o %t.pie
// RUN: %cc -O2 -no-pie -fno-pie -I%include -I%S/Inputs %s -L%libdir -larcline \
// RUN:   -o %t.exec
// RUN: %cc -O2 -static -I%include -I%S/Inputs %s -L%libdir -larcline \
// RUN:   -o %t.static
// RUN: %cc -O2 -static-pie -fPIE -I%include -I%S/Inputs %s -L%libdir -larcline \
// RUN:   -o %t.static-pie
// RUN: %cc -O2 -Wl,-z,now -Wl,--gc-sections -fuse-ld=gold -I%include \
// RUN:   -I%S/Inputs %s -L%libdir -larcline -o %t.gold
// RUN: for mode in pie exec static static-pie gold; do \
// RUN:   %t.$mode && %python %S/Inputs/gmon.py llvm-nm %t.$mode gmon.out \
// RUN:     > $mode.txt && FileCheck %s < $mode.txt && rm gmon.out || exit 1; done
// CHECK: marked
// CHECK: arc at_exit leaf 1
// CHECK: arc first leaf 1
// CHECK: arc last leaf 1
// CHECK: arc main leaf 1
// CHECK: arc resolve leaf {{[1-9]}}
// CHECK: block pick+0 1
// CHECK: block pick_1+0 1
#include <stdlib.h>

#include "instrument.h"

PICK_DATA

static NOINLINE void leaf(void) {
  CALLED(leaf);
  __asm__ volatile("");
}

static void chosen(void) {}

static void (*resolve(void))(void) {
  leaf();
  return chosen;
}

void call(void) __attribute__((ifunc("resolve")));

__attribute__((constructor)) static void first(void) {
  leaf();
  __asm__ volatile("");
}

__attribute__((destructor)) static void last(void) {
  leaf();
  __asm__ volatile("");
}

static void at_exit(void) {
  leaf();
  __asm__ volatile("");
}

int main(void) {
  atexit(at_exit);
  leaf();
  call();
  pick(1);
  return 0;
}
