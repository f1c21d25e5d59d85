// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each part's calls, 10, 20, 40, ...: a sum identifies the missing ones.
#include <stdio.h>

int run1(int n);
int run2(int n);
int run3(int n);
#ifdef LIBRARIES
int run4(int n);
int run5(int n);
#endif

static volatile int sink;

int main() {
  int n = 10 + 20 + 40;

  sink = run1(10) + run2(20) + run3(40);
#ifdef LIBRARIES
  sink = run4(80) + run5(160);
  n += 80 + 160;
#endif
  printf("calls _Z6sharedi %d\n", n);
  printf("calls _Z15shared_templateIiET_S0_ %d\n", n);
  printf("calls _Z8alike_a3i 40\ncalls _Z8alike_b3i 20\n");
  return 0;
}
