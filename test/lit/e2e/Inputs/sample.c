/* Lines with many blocks and many calls, for llvm-sample. */
#include <stdlib.h>
#include <string.h>

static volatile int sink;

__attribute__((noinline)) int often(int n) {
  int rest = 0;
  if (n % 100 == 0)
    rest = sink;
  sink = n;
  return rest;
}

__attribute__((noinline)) int sq(int n) { return n * n; }
__attribute__((noinline)) int neg(int n) { return -n; }

__attribute__((noinline)) int through(int (*call)(int), int n) {
  return call(n) + 1;
}

__attribute__((noinline)) int tangle(int n, char *p) {
  int s = 0;
  for (int i = 0; i < n; i++) s += (i % 7 ? sq(i) : neg(i) + sq(2)); memset(p, 0, 10); if ((n > 5 && s != 3) || p[0]) s++;
  switch (n) { case 1: s++; break; case 2: s--; break; default: if (n == 77) exit(3); s += abs(n); memcpy(p, p + 20, (size_t)n); s += sq(1); }
  while (n--) { if (n % 2) continue; s += n; }
  do s += neg(s) > 0 ? sq(1) + sq(2) : neg(3) + neg(s); while (s > 1000 && s-- % 2);
  return s ? s : 1;
}

int main(void) {
  char room[200] = "";
  int total = 0;
  for (int i = 0; i < 1000; i++)
    total += often(i) + through(i % 10 ? sq : neg, i);
  for (int i = 0; i < 60; i++) total += tangle(i, room); for (int i = 0; i < 3; i++) total += sq(i) + sq(i + 1);
  return total == 0;
}
