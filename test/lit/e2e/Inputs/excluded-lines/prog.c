// Lines that tests exclude from coverage; the last two comments have no partner.
#include <stdio.h>
#include "third/part.h"
static int dead(int x) { // GCOVR_EXCL_FUNCTION
  if (x)
    return 1;
  return 2;
}
int work(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (i == 1000) // LCOV_EXCL_BR_LINE
      sum++; // LCOV_EXCL_LINE
    sum += i;
  }
  // LCOV_EXCL_START
  if (sum < 0) {
    puts("impossible");
    sum = dead(sum);
  }
  // LCOV_EXCL_STOP
  if (sum == 77)
    sum--;
  return sum;
}
int main(int argc, char **argv) {
  (void)argv;
  return third(work(argc + 3)) == 3;
}
// GCOV_EXCL_STOP
/* LCOV_EXCL_START */
