/* A library is loaded repeatedly, and each time another function is the first
   one that it calls through a pointer: no call is attributed to another
   callee. */
// RUN: %cc -O2 -fPIC -shared -DLIBRARY -I%include -I%S/Inputs %s -L%libdir \
// RUN:   -larcline-shared -o libcalls.so
// RUN: %cc -O2 -I%include -I%S/Inputs %s -L%libdir -larcline \
// RUN:   -o %t && %t
// RUN: %python %S/Inputs/gmon.py llvm-nm libcalls.so gmon.out.libcalls.so \
// RUN:   | FileCheck %s
// CHECK: arc call_any call_f 40
// CHECK-NEXT: arc call_any call_g 2
// CHECK-NEXT: arc call_any plain 13
// CHECK-NEXT: arc outside call_any 29
// CHECK-NOT: arc
#ifdef LIBRARY
#include "call_sites.h"

CALL_SITES_DATA

static NOINLINE void plain(void) { __asm__ volatile(""); }

void entry(int first, void (*outside)(void)) {
  if (first == 0)
    call_any(outside);
  call_any(first == 1 ? call_f : plain);
  call_any(call_f);
  call_any(plain);
  if (first == 2)
    call_any(call_g);
}
#else
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

#include "instrument.h"

PICK_DATA

int main(void) {
  for (int i = 0; i < 8; i++) {
    void *library = dlopen("./libcalls.so", RTLD_NOW);
    void (*entry)(int, void (*)(void));
    if (!library)
      abort();
    *(void **)&entry = dlsym(library, "entry");
    entry(i % 3, tzset);
    dlclose(library);
  }
  pick(0);
  return 0;
}
#endif
