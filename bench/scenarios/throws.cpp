/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* 100,000 exceptions through a frame in between. */
extern "C" {
__attribute__((noinline)) void leaf(int x) {
  if (x >= 0)
    throw x;
}

__attribute__((noinline)) void between(int x) {
  leaf(x);
  __asm__ volatile("");
}
}

int main() {
  int n = 0;

  for (int i = 0; i < 100000; i++) {
    try {
      between(i);
    } catch (int) {
      n++;
    }
  }
  return n != 100000;
}
