/* Stacks lead through code without frame pointers that is not instrumented: a
   comparison that qsort() calls, and a procedure linkage table. */
// RUN: %clang -O2 -shared -fPIC -DLIBRARY %s -o libtiny.so
// RUN: %arcline-cc -O2 -fomit-frame-pointer -I%S/Inputs %s -o %t \
// RUN:   -L. -ltiny -Wl,-rpath,$PWD -Wl,-z,lazy
// RUN: %python %S/Inputs/stacks.py chains %t sort -- \
// RUN:   burn '_start>libc.so.6>main>sort>libc.so.6>compare>burn'
// RUN: %python %S/Inputs/stacks.py chains %t call -- \
// RUN:   call '_start>libc.so.6>main>call(>(libtiny.so|_init|__.*))?'
// RUN: %if lld %{ %arcline-cc -O2 -fuse-ld=lld -I%S/Inputs %s -o %t \
// RUN:   -L. -ltiny -Wl,-rpath,$PWD -Wl,-z,lazy %}
// RUN: %python %S/Inputs/stacks.py complete %t 99 call
#ifdef LIBRARY
int tiny(int n) { return n + 1; }
#else
#include <stdlib.h>

#include "burn.h"

int tiny(int n);

BURN

    static volatile int sink;

static int compare(const void *a, const void *b) {
  burn(20000);
  return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static void sort(void) {
  static int numbers[1000];

  for (int i = 0; i < 1000; i++)
    numbers[i] = rand();
  qsort(numbers, 1000, sizeof(*numbers), compare);
  sink += numbers[0];
}

__attribute__((noinline)) static void call(void) {
  int n = 0;

  while (n < 300000000)
    n = tiny(n);
  sink += n;
}

int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == 's')
    sort();
  else
    call();
  return 0;
}
#endif
