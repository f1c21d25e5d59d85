#include <stdlib.h>
#include <string.h>

/* The number of calls of the C library does not depend on the size; their time
   does.
 */
int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], 0, 10) : 1;
  char *a = calloc(n, 1), *b = calloc(n, 1);
  int sum = 0;
  if (!a || !b)
    return 1;
  for (int i = 0; i < 200; i++) {
    a[0] = (char)i;
    memcpy(b, a, n);
    sum += memcmp(a, b, n);
    memset(a, i, n);
  }
  free(a);
  free(b);
  return sum;
}
