// One call in the source, several in the code: unrolled and peeled loops. See
// arcs-agree-with-mcount.test.
#include <stdio.h>

typedef int (*operation)(int);

static volatile long total;

static int square(int x) { return total += x * x; }
static int thrice(int x) { return total += x * 3; }
static int negate(int x) { return total -= x; }

static void unrolled(void) {
  const volatile operation operations[] = {square, thrice, square, negate};
  for (int i = 0; i < 4; i++)
    operations[i](i);
}

static void peeled(int n) {
  for (int i = 0; i < n; i++)
    (i ? thrice : square)(i);
}

static void unswitched(int n, int how, operation f, operation g) {
  for (int i = 0; i < n; i++)
    if (how)
      f(i);
    else
      g(i);
}

static void unrolled_by_the_way(int n, const volatile operation *operations) {
#pragma unroll 4
  for (int i = 0; i < n; i++)
    operations[i % 4](i);
}

int main(void) {
  const volatile operation some[] = {negate, thrice, square, thrice};
  unrolled();
  peeled(100);
  unswitched(10, total != 0, square, thrice);
  unswitched(20, total == 0, square, negate);
  unrolled_by_the_way(1003, some);
  printf("%d\n", total != 0);
}
