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

int main(void) {
  for (int i = 0; i < 1000; i++)
    far();
  return 7;
}

/* gprof takes no notice of the very last function if it is not in .text. */
void last(void);
__attribute__((noinline, section(".far"))) void last(void) {
  __asm__ volatile("");
}
