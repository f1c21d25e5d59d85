/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A thousand calls, then the end; the conditions of the scenario are outside of
   the program. */
#include <stdio.h>

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

int main(void) {
  for (int i = 0; i < 1000; i++)
    leaf();
  puts("done");
  return 7;
}
