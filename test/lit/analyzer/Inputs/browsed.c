// The program of a report in a browser: html-in-a-browser.test. It runs long
// enough for some samples, makes calls in two ways, and has lines that never
// run.
#include <stdio.h>

static volatile unsigned sink;

__attribute__((noinline)) static void spin(unsigned n) {
  for (unsigned i = 0; i < n; i++)
    sink += i;
}

__attribute__((noinline)) static int never(int x) {
  spin(1);
  return x;
}

__attribute__((noinline)) static void work(unsigned n) {
  spin(n);
  if (n == 0)
    never(3);
}

static inline unsigned twice(unsigned x) {
  return 2 * x;
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 400; i++) {
    work(twice(250000));
    spin(500000); // as long as work(), so that some samples are in each
  }
  if (argc > 7)
    puts("never");
  work(1);
  return 0;
}
