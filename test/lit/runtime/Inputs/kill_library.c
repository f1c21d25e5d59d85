/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library that kill_me.c loads and unloads. */
__attribute__((noinline)) void library_leaf(void) { __asm__ volatile(""); }

static void (*volatile pointer)(void) = library_leaf;

void entry(int n) {
  for (int i = 0; i < n; i += 2) {
    library_leaf();
    pointer();
  }
}
