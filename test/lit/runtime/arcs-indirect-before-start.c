/* Indirect calls of an ifunc resolver, which runs before relocation and before
   the runtime's start, in every link mode. */
// RUN: for mode in '' '-no-pie -fno-pie' -static '-static-pie -fPIE'; do \
// RUN:   %cc -O2 $mode -I%include -I%S/Inputs %s -L%libdir -larcline -o %t \
// RUN:   && %t && %python %S/Inputs/gmon.py llvm-nm %t gmon.out > text \
// RUN:   && FileCheck %s < text || exit 1; done
// CHECK: arc call_any call_f 6
// CHECK-NEXT: arc call_any call_g 4
// CHECK-NEXT: arc outside call_any 5
// CHECK-NOT: arc
#include "call_sites.h"

CALL_SITES_DATA

static int n_resolved;

static void chosen(void) {}

static void (*resolve(void))(void) {
  if (!n_resolved++) {
    call_any(call_f);
    call_any(call_g);
    call_any(call_g);
  }
  return chosen;
}

void call(void) __attribute__((ifunc("resolve")));

int main(void) {
  call();
  call_any(call_g);
  call_any(call_g);
  return 0;
}
