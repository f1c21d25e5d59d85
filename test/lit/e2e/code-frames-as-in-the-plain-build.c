// Variables of blocks share slots of the frame as in the plain build, so that a
// program can recurse as deeply; lines of `break`, `continue` and `return` out
// of these blocks are exact all the same, and live variables are not
// overwritten.
// RUN: %clang -O2 -g %s -o plain && ./plain > plain.txt
// RUN: %arcline-cc -O2 -g %s -o prog && env ARCLINE_OPTIONS=hz=0 ./prog > prog.txt
// RUN: %python -c "a, b = (int(open(f).readline()) for f in ('plain.txt', 'prog.txt')); assert b <= a * 1.03 + 16, (a, b)"
// RUN: tail -n +2 plain.txt > plain.sums && tail -n +2 prog.txt | diff plain.sums -
// RUN: %arcline annotate prog gmon.out > annotated
// RUN: %arcline-cc -O0 -g %s -o prog && env ARCLINE_OPTIONS=hz=0 ./prog && %arcline annotate prog gmon.out | diff - annotated
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

static int sum;
static char *kept;

NOINLINE static void fill(char *p, int with) {
  memset(p, with, 64);
  __asm__ volatile("" : : "r"(p) : "memory");
}
NOINLINE static void keep(char *p) { kept = p; }
NOINLINE static void use(void) {
  for (int i = 0; i < 64; i++)
    sum = sum * 31 + kept[i];
}

struct guard {
  char *at;
};
static void leave(struct guard *guard) {
  kept = guard->at;
  use();
}

static char *bottom;
static int parse(const char *p);

// A buffer in each case: room for one is enough.
NOINLINE static int element(const char *p) {
  int n = 0;
  switch (*p & 3) {
  case 0: {
    char name[96];
    fill(name, 1);
    n = parse(p + 1) + name[2];
    break;
  }
  case 1: {
    char text[128];
    fill(text, 2);
    if (*p == 'x')
      break;
    n = parse(p + 1) + text[2];
    return n;
  }
  default: {
    char rest[80];
    fill(rest, 3);
    n = parse(p + 1) + rest[2];
  }
  }
  return n;
}

static int parse(const char *p) {
  char here;
  if (!*p) {
    bottom = &here;
    return 0;
  }
  return element(p);
}

// Blocks in loops and in one another, left and entered in all ways.
NOINLINE static int blocks(int n) {
  for (int k = 0; k < n; k++) {
    switch (k % 5) {
    case 0: {
      char a[64];
      fill(a, k), keep(a);
      for (int i = 0; i < 3; i++) {
        char inner[64];
        fill(inner, i), use();
      }
      use();
      break;
    }
    case 1: {
      int m = k % 3;
      char b[64];
      fill(b, k), keep(b);
      if (m == 1)
        continue;
      {
        char other[64];
        fill(other, 9);
        __attribute__((cleanup(leave))) struct guard guard = {b};
        sum += other[3];
      }
      __attribute__((cleanup(leave))) struct guard last = {b};
      break;
    }
    case 2: {
    again:;
      char c[64];
      fill(c, k), keep(c);
      if (sum % 3 == 0) {
        char d[64];
        fill(d, 1), use();
        sum++;
        goto again;
      }
      use();
      break;
    }
    case 3:
      sum += ({
        char e[64];
        fill(e, k), keep(e), use();
        e[5];
      });
      break;
    default: {
      char f[64];
      for (int j = 0; j < 4; j++) {
        if (j == 0) {
          fill(f, k), keep(f);
          continue;
        }
        char g[64];
        fill(g, j), use();
      }
    }
    }
    char last[64];
    fill(last, k), keep(last), use();
  }
  goto inside;
  {
    char h[64];
  inside:
    fill(h, 5), keep(h), use();
    {
      char i[64];
      fill(i, 6), use();
    }
    use();
  }
  return sum;
}

int main(void) {
  static char input[1001];
  for (int i = 0; i < 1000; i++)
    input[i] = i % 2 ? 'a' : 'd';
  char here;
  const int parsed = parse(input);
  printf("%ld\n%d %d\n", labs(&here - bottom), parsed, blocks(100));
}
