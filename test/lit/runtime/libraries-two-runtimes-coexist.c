/* A library that hides its copy of the runtime, in an instrumented program, and
   a program without instrumentation between two such: each writes its file, and
   one of them takes the samples. */
// RUN: echo '{ global: one_entry; local: *; };' > one.map
// RUN: echo '{ global: two_entry; local: *; };' > two.map
// RUN: %cc -O2 -fPIC -shared -DLIBRARY=one -I%include -I%S/Inputs \
// RUN:   %S/Inputs/library.c -L%libdir -larcline -Wl,--version-script=one.map \
// RUN:   -o libone.so
// RUN: %cc -O2 -fPIC -shared -DLIBRARY=two -I%include -I%S/Inputs \
// RUN:   %S/Inputs/library.c -L%libdir -larcline -Wl,--version-script=two.map \
// RUN:   -o libtwo.so
// RUN: %cc -O2 -DINSTRUMENTED -I%include -I%S/Inputs %s -L%libdir -larcline \
// RUN:   ./libone.so ./libtwo.so -lpthread -o %t
// RUN: %t 2>&1 | count 0
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | FileCheck %s
// RUN: cat gmon.out.libone.so > one && cat gmon.out.libtwo.so > two
// RUN: %cc -O2 %s ./libone.so ./libtwo.so -lpthread -o %t.plain
// RUN: rm gmon.out* && %t.plain && not ls gmon.out
// RUN: for run in one gmon.out.libone.so; do \
// RUN:   %python %S/Inputs/gmon.py llvm-nm libone.so $run \
// RUN:   | FileCheck %s --check-prefix=ONE || exit 1; done
// RUN: for run in two gmon.out.libtwo.so; do \
// RUN:   %python %S/Inputs/gmon.py llvm-nm libtwo.so $run \
// RUN:   | FileCheck %s --check-prefix=TWO || exit 1; done
// CHECK: arc main pick 1
// ONE: arc one_entry one_leaf 5000
// ONE: block pick+0 5000
// TWO: arc two_entry two_leaf 500
// TWO: block pick+0 500
#include <pthread.h>

#ifdef INSTRUMENTED
#include "instrument.h"

PICK_DATA
#else
static void pick(int c) { (void)c; }
#endif

void one_entry(int n);
void two_entry(int n);

static void *work(void *arg) {
  one_entry(1000);
  two_entry(100);
  return arg;
}

int main(void) {
  pthread_t threads[5];

  for (int i = 0; i < 5; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 5; i++)
    pthread_join(threads[i], NULL);
  pick(1);
  return 0;
}
