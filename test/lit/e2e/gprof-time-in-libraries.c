// The time in memset() and strlen() is attributed to the function that calls
// them, and not to the one that computes: in dynamic and static executables,
// and at -O0.
//
// DEFINE: %{check} = %python %S/Inputs/check_shares.py report '.*memset.*>=15' \
// DEFINE:   '.*strlen.*>=15' 'slow>>50' 'fast<=45' 'slow->.*strlen.*=1500' \
// DEFINE:   'slow->.*memset.*=1500' 'main->slow=1500' 'slow<=5' 'main>>95'
// DEFINE: %{run} = env ARCLINE_OPTIONS=hz=500
//
// RUN: %arcline-cc -O2 -g %s -o prog && %{run} ./prog
// RUN: %arcline gprof -b prog > report && %{check}
// RUN: %arcline gprof -b gmon.out.arcline | diff report -
// RUN: %arcline-cc -O2 -g -static %s -o static && %{run} ./static
// RUN: %arcline gprof -b static > report && %{check}
// RUN: %arcline-cc -O2 -g -static-pie %s -o static-pie && %{run} ./static-pie
// RUN: %arcline gprof -b static-pie > report && %{check}
// RUN: %arcline-cc -O0 -fno-plt -Wl,-z,now %s -o now && %{run} ./now
// RUN: %arcline gprof -b now > report
// RUN: %python %S/Inputs/check_shares.py report 'slow->.*strlen.*=1500' \
// RUN:   'slow->.*memset.*=1500' '.*memset.*>=5' '<profiler><=5'
//
// Lines have theirs, too, and a profile without side file is GNU gprof's.
// RUN: %{run} ./prog && %arcline gprof -b -l -p prog > lines
// RUN: grep -q strlen lines
// RUN: %arcline gprof -b --no-side prog > alone && not grep strlen alone
// RUN: mv gmon.out.arcline away && %arcline gprof -b prog | diff alone -
// A side file of another program is none.
// RUN: sed 's/^\(object 0 \)[0-9a-f]*/\10123456789abcdef/' away \
// RUN:   > gmon.out.arcline
// RUN: %arcline gprof -b prog | diff alone -
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *buffer;
static size_t n_bytes = 1 << 22;

__attribute__((noinline)) size_t slow(int k) {
  memset(buffer, 'a' + k % 20, n_bytes - 1);
  return strlen(buffer);
}

__attribute__((noinline)) size_t fast(int k) {
  size_t sum = 0;

  for (int i = 0; i < 50000; i++)
    sum += (size_t)(i ^ k) * 7;
  return sum;
}

int main(void) {
  size_t sum = 0;

  buffer = calloc(n_bytes, 1);
  for (int k = 0; k < 1500; k++)
    sum += slow(k) + fast(k);
  printf("%zu\n", sum);
  return 0;
}
