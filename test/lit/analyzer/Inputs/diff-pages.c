#include <stdio.h>
#include <stdlib.h>

static int cheap(int x) { return x + 1; }

__attribute__((noinline)) int before(int x) { return x - 1; }

/* Line 1 of many that do not differ. */
/* Line 2 of many that do not differ. */
/* Line 3 of many that do not differ. */
/* Line 4 of many that do not differ. */
/* Line 5 of many that do not differ. */
/* Line 6 of many that do not differ. */
/* Line 7 of many that do not differ. */
/* Line 8 of many that do not differ. */
/* Line 9 of many that do not differ. */
/* Line 10 of many that do not differ. */
/* Line 11 of many that do not differ. */
/* Line 12 of many that do not differ. */
/* Line 13 of many that do not differ. */
/* Line 14 of many that do not differ. */
/* Line 15 of many that do not differ. */
/* Line 16 of many that do not differ. */
/* Line 17 of many that do not differ. */
/* Line 18 of many that do not differ. */
/* Line 19 of many that do not differ. */
/* Line 20 of many that do not differ. */
/* Line 21 of many that do not differ. */
/* Line 22 of many that do not differ. */
/* Line 23 of many that do not differ. */
/* Line 24 of many that do not differ. */

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
  sum += before(n);
  if (n < 0)
    sum += never(n);
  volatile double d = 0;
  for (int i = 0; i < 1000000; i++)
    d += i;
  printf("%d\n", sum);
  return 0;
}
