// Calls by name are resolved if several objects have a function of that name:
// an inline function in two libraries, of which the dynamic linker takes the
// first; libraries that bind their own (-Bsymbolic); plugins that do not see
// one another (RTLD_LOCAL); names that are hidden. No function gets calls that
// it did not count. Even the shortest run may have a sample; sampling is off
// here.
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: %arcline-c++ -O1 -fPIC -shared -DLIBRARY=1 %s -o libone.so
// RUN: %arcline-c++ -O1 -fPIC -shared -DLIBRARY=2 %s -o libtwo.so
// RUN: %arcline-c++ -O1 -fPIC -shared -DPLUGIN=1 -DSTEPS=3 %s -o plugin1.so
// RUN: %arcline-c++ -O1 -fPIC -shared -DPLUGIN=2 -DSTEPS=5 %s -o plugin2.so
// RUN: %arcline-c++ -O1 %s -L. -lone -ltwo -ldl -Wl,-rpath,$PWD -o prog
// RUN: ./prog && %arcline gprof -b gmon.out.arcline > report
// RUN: %python %S/Inputs/check_graph.py %s report
//
// RUN: %arcline-c++ -O1 -fPIC -shared -DLIBRARY=2 -Wl,-Bsymbolic %s -o libtwo.so
// RUN: ./prog && %arcline gprof -b gmon.out.arcline > symbolic
// RUN: %python %S/Inputs/check_graph.py %s symbolic SYMBOLIC
//
// Linked by clang itself, it has a runtime of its own, and a side file.
// RUN: %arcline-c++ -O1 -fPIC -DLIBRARY=2 -c %s -o two.o
// RUN: %clangxx -shared -Wl,-Bsymbolic two.o -L%libdir -larcline -o libtwo.so
// RUN: ./prog && %arcline gprof -b gmon.out*.arcline > apart
// RUN: %python %S/Inputs/check_graph.py %s apart SYMBOLIC
//
// RUN: %arcline-c++ -O1 -fPIC -shared -DLIBRARY=2 -fvisibility-inlines-hidden %s -o libtwo.so
// RUN: ./prog && %arcline gprof -b gmon.out.arcline > hidden
// RUN: %python %S/Inputs/check_graph.py %s hidden SYMBOLIC
//
// ARC: use1 -> twice(int) 10
// ARC: use2 -> twice(int) 20
// ARC: run1 -> take_step 3
// ARC: run2 -> take_step 5
// ARC: run1 -> bare 1
// ARC: run2 -> bare 1
// ARC: main -> use1 1
// ARC: main -> use2 1
// ARC: main -> run1 1
// ARC: main -> run2 1
//
// SYMBOLIC: use1 -> twice(int) 10
// SYMBOLIC: use2 -> twice(int) 20
// SYMBOLIC: run1 -> take_step 3
// SYMBOLIC: run2 -> take_step 5
#define KEEP __attribute__((noinline))

#define JOIN(a, b) a##b
#define NUMBERED(name, number) JOIN(name, number)

inline KEEP int twice(int n) {
  __asm__ volatile("");
  return 2 * n;
}

extern "C" {
int use1(int n);
int use2(int n);
int bare(int n);

#if defined(LIBRARY)
int NUMBERED(use, LIBRARY)(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += twice(i);
  return sum;
}

#if LIBRARY == 1
__attribute__((no_profile_instrument_function)) int bare(int n) { return -n; }
#endif
#elif defined(PLUGIN)
__attribute__((weak)) int take_step(int n) { return n + PLUGIN; }

int NUMBERED(run, PLUGIN)(void) {
  int sum = bare(1);
  for (int i = 0; i < STEPS; i++)
    sum += take_step(i);
  return sum;
}
#else
#include <dlfcn.h>

int main(void) {
  int sum = use1(10) + use2(20);
  void *const first = dlopen("./plugin1.so", RTLD_NOW | RTLD_LOCAL);
  void *const second = dlopen("./plugin2.so", RTLD_NOW | RTLD_LOCAL);
  sum += ((int (*)(void))dlsym(first, "run1"))();
  sum += ((int (*)(void))dlsym(second, "run2"))();
  return sum == 0;
}
#endif
}
