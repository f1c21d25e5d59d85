/* Calls that are known, a name that needs care, and some time. */
#include <stdio.h>

#ifdef ODD_NAMES
int odd(int n) __asm__("odd\"\\name");
#endif
__attribute__((noinline)) int odd(int n) { return n * 3; }

__attribute__((noinline)) int fact(int n) { return n < 2 ? 1 : n * fact(n - 1) + odd(0); }

__attribute__((noinline)) unsigned burn(unsigned n) {
  unsigned sum = n;

  for (unsigned i = 0; i < n; i++)
    sum = (sum << 5 | sum >> 27) ^ (sum * 2654435761u + i);
  return sum;
}

/* Compilers make copies of functions for constant arguments. */
static volatile int depth = 10;
static volatile unsigned n_steps = 400000;

int main(void) {
  unsigned sum = 0;

  for (int i = 0; i < 100; i++)
    sum += burn(n_steps) + (unsigned)odd(i) + (unsigned)fact(depth);
  printf("%u\n", sum);
  return 0;
}
