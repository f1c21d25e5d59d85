/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A thousand calls, then a recursion that overflows the stack. */
__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

__attribute__((noinline)) static int deeper(volatile int *above) {
  volatile int here[64] = {*above};

  return deeper(here) + here[1];
}

int main(void) {
  volatile int first = 1;

  for (int i = 0; i < 1000; i++)
    leaf();
  return deeper(&first);
}
