/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// Functions that gcc -O2 splits and clones: .constprop, .isra, .part and .cold,
// with numbers after them; and local names with dots and dollars.
#include <stdio.h>
#include <stdlib.h>

struct pair {
  long first, second, unused[4];
};

// Only called with constants: .constprop.
__attribute__((noinline)) static long scaled(long n, long scale) {
  volatile long sum = 0;

  for (long i = 0; i < n; i++)
    sum += i * scale;
  return sum;
}

// Of the structure only one member is needed: .isra.
__attribute__((noinline)) static long member(const struct pair *pair) {
  volatile long sum = 0;

  for (long i = 0; i < pair->first % 50; i++)
    sum += i;
  return sum;
}

// The beginning would be inlined, the rest not: .part. With -pg gcc does not.
static long rest(long n, FILE *out) __asm__("rare.part.0");
__attribute__((noinline, used)) static long rest(long n, FILE *out) {
  if (n % 7 == 3)
    fflush(out);
  return scaled(n % 20, 3);
}
long rare(long n, FILE *out) { return n % 1024 ? n : rest(n, out); }

// Never expected: .cold.
long checked(long n) {
  if (__builtin_expect(n > 100000, 0)) {
    fprintf(stderr, "too many: %ld\n", n);
    fprintf(stderr, "giving up\n");
    abort();
  }
  return scaled(n % 30, 3) + 1;
}

static void report(long n) __asm__("report.cold");
__attribute__((cold, noinline, used)) static void report(long n) {
  printf("%ld\n", n);
}

static long dotted(long n) __asm__("dotted.7");
__attribute__((noinline, used)) static long dotted(long n) {
  return scaled(n % 10, 3);
}

static long with_dollar(long n) __asm__("with$dollar");
__attribute__((noinline, used)) static long with_dollar(long n) {
  return member(&(struct pair){n, n, {0}});
}

long call_rarely(long n) { return rare(n, stderr) + rare(n * 2, stdout); }

int main(void) {
  struct pair pair = {0, 1, {0}};
  long sum = 0;

  for (long i = 0; i < 3000; i++) {
    pair.first = i;
    sum += member(&pair) + checked(i) + call_rarely(i | 1) + dotted(i) +
           with_dollar(i);
  }
  report(sum);
  return 0;
}
