/* 64 threads continue to count while the program ends, in an executable and in
   a library that has the runtime: no crash, one whole file each. They go on
   after the library's destructors, for as long as those of another one take,
   also if a constructor of another one opens the library before main(). */
// RUN: printf '#include <unistd.h>\n__attribute__((destructor)) static void wait(void) { usleep(200000); }' > last.c
// RUN: %cc -fPIC -shared last.c -o liblast.so
// RUN: %cc -O2 -fPIC -shared -DLIBRARY=one -I%include -I%S/Inputs \
// RUN:   %S/Inputs/library.c -L%libdir -larcline-shared -Wl,--no-as-needed ./liblast.so -o libone.so
// RUN: %cc -O2 -DINSTRUMENTED -I%include -I%S/Inputs %s -L%libdir -larcline \
// RUN:   ./libone.so -lpthread -o %t
// RUN: %cc -O2 %s ./libone.so -lpthread -o %t.plain
// RUN: for i in 1 2 3 4; do %t && %t.plain || exit 1; done
// RUN: %cc -O2 -fPIC -shared -DOPENER %s -o libopener.so
// RUN: %cc -O2 %s ./libopener.so -lpthread -o %t.opened
// RUN: %t.opened
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | FileCheck %s
// RUN: %python %S/Inputs/gmon.py llvm-nm libone.so gmon.out.libone.so \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: ls -A | FileCheck %s --check-prefix=FILES
// CHECK: arc work pick
// ONE: arc one_entry one_leaf
// FILES-NOT: tmp
#ifdef OPENER
#include <dlfcn.h>

static void (*entry)(int);

__attribute__((constructor)) static void open_library(void) {
  entry = (void (*)(int))dlsym(dlopen("./libone.so", RTLD_NOW), "one_entry");
}

void one_entry(int n);
void one_entry(int n) { entry(n); }
#else
#include <pthread.h>
#include <unistd.h>

#ifdef INSTRUMENTED
#include "instrument.h"

PICK_DATA
#else
static void pick(int c) { (void)c; }
#endif

void one_entry(int n);

static void *work(void *arg) {
  for (;;) {
    pick(1);
    one_entry(100);
  }
  return arg;
}

int main(void) {
  pthread_t thread;

  for (int i = 0; i < 64; i++)
    pthread_create(&thread, NULL, work, NULL);
  usleep(20000);
  return 0;
}
#endif
