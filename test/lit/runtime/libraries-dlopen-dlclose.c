/* Instrumented libraries are loaded and unloaded repeatedly, at changing
   addresses, while threads continue: counts of all loads add up, and memory is
   bounded. In an instrumented program and in one that is not, where the runtime
   is loaded and unloaded with each library. */
// RUN: %cc -O2 -fPIC -shared -DLIBRARY=one -I%include -I%S/Inputs \
// RUN:   %S/Inputs/library.c -L%libdir -larcline-shared -o libone.so
// RUN: %cc -O2 -fPIC -shared -DLIBRARY=two -I%include -I%S/Inputs \
// RUN:   %S/Inputs/library.c -L%libdir -larcline-shared -o libtwo.so
// RUN: %cc -O2 -DINSTRUMENTED -I%include -I%S/Inputs %s -L%libdir -larcline \
// RUN:   -lpthread -o %t
// RUN: %t 2>&1 | count 0
// RUN: %python %S/Inputs/gmon.py llvm-nm %t gmon.out | FileCheck %s
// RUN: %python %S/Inputs/gmon.py llvm-nm libone.so gmon.out.libone.so \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %python %S/Inputs/gmon.py llvm-nm libtwo.so gmon.out.libtwo.so \
// RUN:   | FileCheck %s --check-prefix=TWO
// RUN: rm gmon.out*
// RUN: %cc -O2 %s -lpthread -o %t.plain
// RUN: %t.plain 2>&1 | count 0
// RUN: %python %S/Inputs/gmon.py llvm-nm libone.so gmon.out.libone.so \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: %python %S/Inputs/gmon.py llvm-nm libtwo.so gmon.out.libtwo.so \
// RUN:   | FileCheck %s --check-prefix=TWO
// RUN: not ls gmon.out
// CHECK: arc main pick 500
// ONE: arc one_entry one_leaf 10000
// ONE: arc outside one_entry 1000
// ONE: block pick+0 10000
// TWO: arc outside two_entry 1000
// TWO: arc two_entry two_leaf 10000
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifdef INSTRUMENTED
#include "instrument.h"

PICK_DATA
#endif

enum { N_ROUNDS = 500, MAX_MAPPINGS = 1000 };

static pthread_barrier_t barrier;
static void (*entry)(int n);

static void *work(void *arg) {
  for (int i = 0; i < 2 * N_ROUNDS; i++) {
    pthread_barrier_wait(&barrier);
    entry(10);
    pthread_barrier_wait(&barrier);
  }
  return arg;
}

static void load_and_call(const char *path, const char *name) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

  if (!library)
    abort();
  *(void **)&entry = dlsym(library, name);
  pthread_barrier_wait(&barrier);
  entry(10);
  pthread_barrier_wait(&barrier);
  // A mapping there, so that the next load has another address.
  mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (dlclose(library))
    abort();
}

int main(void) {
  pthread_t thread;
  int n_mappings = 0;

  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, work, NULL);
  for (int i = 0; i < N_ROUNDS; i++) {
    load_and_call("./libone.so", "one_entry");
    load_and_call("./libtwo.so", "two_entry");
#ifdef INSTRUMENTED
    pick(1);
#endif
  }
  pthread_join(thread, NULL);
#ifdef INSTRUMENTED
  FILE *maps = fopen("/proc/self/maps", "r");
  for (int c; (c = getc(maps)) != EOF;)
    n_mappings += c == '\n';
  fclose(maps);
#endif
  return n_mappings > MAX_MAPPINGS;
}
