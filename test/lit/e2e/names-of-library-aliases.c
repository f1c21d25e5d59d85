// A function of a library that has several names is reported by the one that the
// program called, whether the library took samples or not.
//
// RUN: clang -O2 -fPIC -shared -DLIBRARY %s -o liba.so
// RUN: %arcline-cc -O2 -g %s -L. -la -Wl,-rpath,$PWD -o prog
// RUN: ./prog 0 && %arcline report --fields=calls,name prog | FileCheck %s
// RUN: ./prog 1 && %arcline report --fields=calls,name prog > sampled
// RUN: FileCheck %s < sampled && grep '100 samples\|0\.[0-9]* s in [1-9]' sampled
// CHECK: {{^ *}}100  zebra_of_users{{$}}
// CHECK-NOT: {{zebra$}}
#include <stdlib.h>
#include <time.h>

void zebra_of_users(double seconds);

#ifdef LIBRARY
void zebra(double seconds) {
  const clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
  while (seconds > 0 && clock() < end)
    ;
}

void zebra_of_users(double seconds) __attribute__((alias("zebra")));
#else
int main(int argc, char **argv) {
  for (int i = 0; i < 100; i++)
    zebra_of_users(argc > 1 ? atoi(argv[1]) * 0.002 : 0);
  return 0;
}
#endif
