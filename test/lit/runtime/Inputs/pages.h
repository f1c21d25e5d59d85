/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The size of the address space in pages; ends the process if that cannot be
   read. */
#include <stdio.h>
#include <stdlib.h>

static unsigned long pages(void) {
  unsigned long n = 0;
  FILE *file = fopen("/proc/self/statm", "r");

  if (!file || fscanf(file, "%lu", &n) != 1)
    exit(1);
  fclose(file);
  return n;
}
