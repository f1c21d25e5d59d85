/* Time in libm, libc and the kernel is distinguished from the program's own,
   and the total is the CPU time. */
// RUN: %arcline-cc -O2 -fno-builtin -I%S/Inputs %s -o %t -lm
// RUN: %python %S/Inputs/samples.py outside %t
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "burn.h"

enum { N_BYTES = 1 << 20 };

BURN

    static char buffer[N_BYTES];
static int zeros;
static volatile double sum;

static void use_libm(void) {
  for (int i = 0; i < 1000; i++)
    sum += jn(7, 100.5 + i);
}

static void use_libc(void) {
  for (int i = 0; i < 10; i++)
    memset(buffer, i, N_BYTES);
}

static void use_kernel(void) {
  if (read(zeros, buffer, N_BYTES) != N_BYTES)
    abort();
}

static void use_own(void) { burn(100000); }

static void spend(const char *name, void (*use)(void)) {
  const double start = cpu_seconds();

  while (cpu_seconds() < start + 0.4)
    use();
  printf("%s %.6f\n", name, cpu_seconds() - start);
}

int main(void) {
  zeros = open("/dev/zero", O_RDONLY);
  memset(buffer, 1, N_BYTES); // faults are the kernel's time, at this address
  spend("libm.so.6", use_libm);
  spend("libc.so.6", use_libc);
  spend("[kernel]", use_kernel);
  spend("burn", use_own);
  return 0;
}
