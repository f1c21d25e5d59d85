/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs a program of made_programs.py and prints its own counts. Not compiled by
   Arcline. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COUNTS = 10000 };

unsigned long count[MAX_COUNTS];
int fuel, n_thrown, sink[64];
int run(int n);

int draw(void) {
  static unsigned state = 12345;

  state = state * 1664525u + 1013904223u;
  return (int)(state >> 16) & 0x7fff;
}

int outside(int a) { return (int)((unsigned)a * 7u + (unsigned)draw()) & 1; }

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 0;

  printf("%d", run(n));
  for (int i = 0; i < n; i++)
    sink[0] ^= sink[i % 64];
  printf(" %d", sink[0]);
  for (int i = 0; i < MAX_COUNTS; i++)
    printf(" %lu", count[i]);
  putchar('\n');
  return 0;
}
