// Counts are exact if control does not return from a call: the code after it
// was not run. One line may be entered by a second return of setjmp.
// RUN: for level in -O0 -O2; do %arcline-cc -g $level %s -o prog && rm -f gmon.out && not ./prog && %arcline annotate prog > annotated && %python %S/Inputs/check_counts.py %s annotated || exit 1; done
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf start;
static int n_done;

static void work(int i) { // count: 12
  if (i == 3)
    longjmp(start, 1); // count: 3
  n_done++; // count: 9
} // count: 9

static int restart(void) {
  volatile int n_jumps = 0;
  if (setjmp(start)) // count: 4
    n_jumps++; // count: 3
  if (n_jumps < 3) // count: 4
    for (int i = 0; i < 5; i++)
      work(i);
  return n_jumps; // count: 1
}

static void leave(int depth) {
  if (depth == 0)
    exit(restart()); // count: 1
  leave(depth - 1); // count: 7
  puts("back");      // count: 0
} // count: 0

int main(void) {
  leave(7); // count: 1
  return n_done; // count: 0
}
