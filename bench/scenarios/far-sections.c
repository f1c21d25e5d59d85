/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Code in two segments that are a gigabyte apart. Reports of gprof, and of
   arcline gprof, ignore leaf(), the last function: it is not in .text. */
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
