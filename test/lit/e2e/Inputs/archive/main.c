#include <stdio.h>
#include <stdlib.h>

int work(int n);

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static int rare(int n) { // LCOV_EXCL_LINE
  return n * 2;
}

int main(int argc, char **argv) {
  static int values[50000];
  (void)argv;
  for (int i = 0; i < 50000; i++)
    values[i] = (i * 7919) % 10007;
  qsort(values, 50000, sizeof(*values), compare);
  if (argc > 5)
    return rare(argc);
  return work(30000000) == 1;
}
