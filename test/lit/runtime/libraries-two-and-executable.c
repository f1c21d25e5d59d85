/* An executable and two shared libraries, all instrumented and each with its
   own copy of the runtime: one file each; the pattern overrides the prefix;
   calls between them come from outside. */
// RUN: %cc -O2 -fPIC -shared -DLIBRARY=one -I%include -I%S/Inputs \
// RUN:   %S/Inputs/library.c -L%libdir -larcline-shared -Wl,-soname,libone.so.1 \
// RUN:   -o libone.so
// RUN: %cc -O2 -fPIC -shared -DLIBRARY=two -I%include -I%S/Inputs \
// RUN:   %S/Inputs/library.c -L%libdir -larcline-shared -o libtwo.so
// RUN: ln -s libone.so libone.so.1
// RUN: %cc -O2 -I%include -I%S/Inputs %s libone.so libtwo.so -L%libdir \
// RUN:   -larcline -lpthread -Wl,-rpath,$PWD -o %t
// RUN: %t
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | FileCheck %s
// RUN: %python %S/Inputs/gmon.py llvm-nm libone.so gmon.out.libone.so.1 \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %python %S/Inputs/gmon.py llvm-nm libtwo.so gmon.out.libtwo.so \
// RUN:   | FileCheck %s --check-prefix=TWO
// CHECK: arc work pick 40
// CHECK-NOT: leaf
// ONE: arc one_entry one_leaf 4000
// ONE: arc outside one_entry 4
// ONE: block pick_counters+8 4000
// TWO: arc outside two_entry 4
// TWO: arc two_entry two_leaf 40000
// TWO: block pick_counters+8 40000
// RUN: env ARCLINE_OPTIONS=out=%%e-%%%% GMON_OUT_PREFIX=x %t
// RUN: ls | FileCheck %s --check-prefix=NAMES
// NAMES: libraries-two-and-executable.c.tmp-%
// NAMES-NEXT: libraries-two-and-executable.c.tmp-%.arcline
// NAMES-NEXT: libraries-two-and-executable.c.tmp-%.libone.so.1
// NAMES-NEXT: libraries-two-and-executable.c.tmp-%.libtwo.so
#include <pthread.h>

#include "instrument.h"

void one_entry(int n);
void two_entry(int n);

PICK_DATA

static void *work(void *arg) {
  one_entry(1000);
  two_entry(10000);
  for (int i = 0; i < 10; i++) {
    pick(1);
    __asm__ volatile("");
  }
  return arg;
}

int main(void) {
  pthread_t threads[4];

  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
