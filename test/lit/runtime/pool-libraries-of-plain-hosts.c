/* Processes of a program that is not instrumented add to one side file,
   whatever other libraries they have loaded and unloaded before, also the
   samples of a destructor that runs after that of the library whose runtime
   serves all. A destructor does not change the search order in a file. */
// RUN: %arcline-cc -O1 -g -fPIC -shared -DLIBRARY=one %s -o libone.so
// RUN: %arcline-cc -O1 -g -fPIC -shared -DLIBRARY=two -DEND %s -o libtwo.so
// RUN: %clang -shared -fPIC -DOTHER %s -o libother.so
// RUN: cp libother.so libthird.so
// RUN: %clang -DHOST %s -o host -ldl
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./host
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./host ./libother.so ./libthird.so
// RUN: ls pool | FileCheck --check-prefix=FILES %s
// FILES:      {{^}}libone.so.[[ID:[0-9a-f]+]]{{$}}
// FILES-NEXT: {{^}}libone.so.[[ID]].arcline{{$}}
// FILES-NEXT: {{^}}libtwo.so.{{[0-9a-f]+$}}
// FILES-NOT:  {{.}}
// RUN: %arcline export --format=lcov pool | FileCheck %s
// CHECK-DAG: FNDA:2,one
// CHECK-DAG: FNDA:2,two
// CHECK-DAG: FNDA:2,at_end
// RUN: ./host
// RUN: FileCheck --check-prefix=ORDER --input-file=gmon.out.libone.so.arcline %s
// ORDER: object 0 {{.*}}/libone.so
// ORDER: object 1 {{.*}}/libtwo.so
// ORDER: {{^}}sampled
#ifdef LIBRARY
#include <time.h>

__attribute__((noinline)) void LIBRARY(void) { __asm__ volatile(""); }

#ifdef END
__attribute__((destructor)) static void at_end(void) {
  while (clock() < 2 * CLOCKS_PER_SEC / 10)
    ;
}
#endif
#endif
#ifdef OTHER
int other;
#endif
#ifdef HOST
#include <dlfcn.h>

static void run(const char *path, const char *name) {
  void *const library = dlopen(path, RTLD_NOW);
  ((void (*)(void))dlsym(library, name))();
}

int main(int argc, char **argv) {
  void *others[2];

  for (int i = 1; i < argc; i++)
    others[i - 1] = dlopen(argv[i], RTLD_NOW);
  run("./libone.so", "one");
  for (int i = 1; i < argc; i++)
    dlclose(others[i - 1]);
  run("./libtwo.so", "two");
  return 0;
}
#endif
