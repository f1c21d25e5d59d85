/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library for programs that load and unload it: each call makes ten more. */
__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

void entry(void);

void entry(void) {
  for (int i = 0; i < 10; i++)
    leaf();
}
