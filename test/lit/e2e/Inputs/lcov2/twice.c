/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Built twice: functions of one name on different lines. */
#ifdef WIDE
static int width(int c) {
  if (c > 127 || c < 0)
    return 2;
  return 1;
}
#else
static int width(int c) { return c != 0; }
#endif

int common(int c) { return c ? width(c) : 0; }

int main(void) {
  int sum = 0;
  for (int i = 120; i < 130; i++)
    sum += common(i);
  return sum == 0;
}
