/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code in two segments that lie a gigabyte apart. */
__attribute__((noinline, section(".far"))) static void leaf(void) {
  __asm__ volatile("");
}

__attribute__((noinline)) static void near(void) { leaf(); }

__attribute__((noinline, section(".far"))) static void far(void) {
  near();
  leaf();
}

/* gprof takes no notice of the last function of a program with such code. */
__attribute__((noinline, used, section(".far"))) static void last(void) {
  __asm__ volatile("");
}

int main(void) {
  for (int i = 0; i < 1000; i++)
    far();
  return 7;
}
