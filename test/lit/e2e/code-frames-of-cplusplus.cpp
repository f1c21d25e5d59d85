// Variables of blocks share slots in frames of C++, too, with destructors that
// use them, if the program is compiled with -g.
// RUN: %clangxx -O2 -g -fstack-usage -c %s -o plain.o && %arcline-c++ -O2 -g -fstack-usage -c %s -o prog.o
// RUN: for build in plain prog; do awk '/parse/ { print $2 }' $build.su > $build.bytes && test -s $build.bytes; done
// RUN: test $(cat prog.bytes) -le $(($(cat plain.bytes) + 16))

// Without -g four buffers share no slot:
// RUN: %arcline-c++ -O2 -fstack-usage -c %s -o prog.o && test $(awk '/parse/ { print $2 }' prog.su) -ge 256
#include <cstring>

#define NOINLINE __attribute__((noinline))

static int sum;
static char *kept;

NOINLINE static void fill(char *p, int with) {
  memset(p, with, 64);
  __asm__ volatile("" : : "r"(p) : "memory");
}
NOINLINE static void keep(char *p) { kept = p; }
NOINLINE static void use() {
  for (int i = 0; i < 64; i++)
    sum = sum * 31 + kept[i];
}

struct Guard {
  char *at;
  explicit Guard(char *p) : at(p) {}
  ~Guard() {
    kept = at;
    use();
  }
};

NOINLINE int parse(const char *p, int depth) {
  switch (*p) {
  case 'a': {
    char b[64];
    fill(b, 1), keep(b), use();
    return parse(p + 1, depth + 1) + b[3];
  }
  case 'b': {
    char b[64];
    fill(b, 2);
    Guard guard(b);
    return parse(p + 1, depth + 1) + b[4];
  }
  case 'c': {
    char b[64];
    fill(b, 3), keep(b), use();
    break;
  }
  case 'd': {
    char b[64];
    fill(b, 4);
    Guard guard(b);
    const int result = parse(p + 1, depth + 1);
    return result + b[5];
  }
  }
  return depth;
}
