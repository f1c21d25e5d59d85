/* Samples of several processes add up in a pool: in its bins, and in the profile
   that is made of it. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: export ARCLINE_OPTIONS=out=pool/%%m:hz=1000
// RUN: ./prog & ./prog & ./prog & wait
// RUN: %arcline dump pool/prog.???????????????? > raw && grep -c ^bin raw
// RUN: awk '/^bin/ { n += $3 } END { print n }' raw > n
// RUN: %arcline merge -o sum pool && %arcline dump sum > solved
// RUN: grep -x "histogram .* samples=$(cat n)" solved
// RUN: awk '/^  bin/ { print "bin", $2, $3 }' solved | sort > 1
// RUN: grep ^bin raw | sort | diff - 1
// RUN: %gprof -b -p prog sum | grep -E ' 3 .* burn$'
// RUN: test $(cat n) -ge 100
#include <time.h>

__attribute__((noinline)) static void burn(void) {
  struct timespec now;

  do
    for (volatile int i = 0; i < 10000; i++)
      continue;
  while (!clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) &&
         now.tv_sec * 1000 + now.tv_nsec / 1000000 < 100);
}

int main(void) {
  burn();
  return 0;
}
