// Counts of branches below lines with choices agree with the program's own
// account.
// RUN: %arcline-cc -O2 -g %s -o prog && ./prog
// RUN: %arcline annotate --branches --function=choose prog > listing
// RUN: FileCheck %s < listing
// CHECK: if (i % 4 == 0)
// CHECK-NEXT: branch: 250 (25.0 %), 750 (75.0 %)
// CHECK: switch (i % 10)
// CHECK-NEXT: branch: {{.*}}100 (10.0 %)
// CHECK: if (n < 0)
// CHECK-NEXT: branch: 0 (0.0 %), 1 (100.0 %)
// CHECK: if (sum > 3)
// CHECK-NEXT: branch: never reached
// CHECK: Branches taken: {{[0-9]+}} of {{[0-9]+}}
// RUN: %arcline annotate --function=choose prog | FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: branch:
//
// The hottest lines are a list of their own, with or without sources:
// RUN: %arcline annotate --summary --top=2 prog > list && FileCheck %s --check-prefix=TOP < list
// TOP: Hottest lines
// TOP-NEXT: count{{ +}}line{{ +}}source
// TOP: more lines have run: --top=0 shows all
// TOP: Summary
// RUN: not %arcline annotate --top=x prog 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: arcline: --top=x: must be a number from 0 to
#include <stdio.h>

__attribute__((noinline)) static int choose(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % 4 == 0)
      sum += i;
    switch (i % 10) {
    case 3:
      sum ^= n;
      break;
    case 5:
      sum += n;
      break;
    }
  }
  if (n < 0) {
    if (sum > 3)
      puts("never");
    sum = 0;
  }
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  printf("%d\n", choose(1000 * argc));
  return 0;
}
