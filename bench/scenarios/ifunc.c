/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The resolver of an ifunc calls a function of the program's. */
__attribute__((noinline)) static int leaf(int x) {
  __asm__ volatile("");
  return x * 2;
}

static int doubled(void) { return leaf(1); }

static int (*resolve(void))(void) { return leaf(3) == 6 ? doubled : 0; }

int pick(void) __attribute__((ifunc("resolve")));

int main(void) { return pick() + leaf(2) == 6 ? 0 : 1; }
