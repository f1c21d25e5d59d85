#include <stdio.h>
#include <stdlib.h>

static int cheap(int x) { return x + 1; }

__attribute__((noinline)) int parse(int x) {
  if (x % 3 == 0)
    return cheap(x);
  return x;
}

int never(int x) {
  return x * 2;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100, sum = 0;
  for (int i = 0; i < n; i++)
    sum += parse(i);
  if (n < 0)
    sum += never(n);
  volatile double d = 0;
  for (int i = 0; i < 1000000; i++)
    d += i;
  printf("%d\n", sum);
  return 0;
}
