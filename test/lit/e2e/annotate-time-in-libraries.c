// Time in a library's function is shown at the lines that call it, in
// proportion to their calls, and a note reports if much time is not shown.
//
// RUN: %arcline-cc -O2 -g %s -o prog && env ARCLINE_OPTIONS=hz=500 ./prog
// RUN: %arcline annotate --calls prog > out 2> hint && count 0 < hint
// RUN: awk '/\|   -> strlen$/ {time[++n] = $1} END {print n, (time[1] > 2 * time[2]), \
// RUN:   (time[2] > 0)}' out | grep -x '2 1 1'
// RUN: grep -E '^ +[0-9.]+ +[1-9][0-9.]* +\(libraries and the kernel\)$' out
//
// RUN: %arcline annotate prog 2>&1 > out | FileCheck %s
// RUN: %arcline annotate gmon.out.arcline 2>&1 > out | FileCheck %s
// CHECK: arcline: warning: {{[1-9][0-9]+}} % of the samples are in functions
// CHECK-SAME: without line information, such as library functions; --calls shows
// CHECK-SAME: the calls that lead there, `arcline gprof {{.*}}' lists them
//
// Without side file there is nothing to tell, nor in a static executable,
// whose functions have symbols.
// RUN: rm gmon.out.arcline && %arcline annotate --calls prog > out
// RUN: not grep 'kernel)$' out
// RUN: %arcline-cc -O2 -g -static %s -o all && env ARCLINE_OPTIONS=hz=500 ./all
// RUN: %arcline annotate --calls all > out 2> hint && count 0 < hint
// RUN: awk '/\|   -> strlen$/ {n++; sum += $1} END {print n, (sum > 0)}' out \
// RUN:   | grep -x '2 1'
#include <stdlib.h>
#include <string.h>

static char *buffer;

__attribute__((noinline)) static size_t often(size_t k) {
  return strlen(buffer + k);
}

__attribute__((noinline)) static size_t seldom(size_t k) {
  return strlen(buffer + k);
}

int main(void) {
  size_t sum = 0;

  buffer = malloc(1 << 22);
  memset(buffer, 'x', (1 << 22) - 1);
  buffer[(1 << 22) - 1] = '\0';
  for (size_t k = 0; k < 4000; k++)
    sum += k % 4 ? often(k) : seldom(k);
  return sum == 0;
}
