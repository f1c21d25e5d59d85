/* Of a small address space, or little space for private data, call stacks take
   nothing unless they are asked for: a program that fits into it without
   Arcline should do so with it. */
// RUN: %arcline-cc -O1 -g %s -o prog && %clang -O1 %s -o plain
// RUN: ./plain > plain.kib && ./prog > prog.kib
// RUN: test $(cat prog.kib) -gt $(($(cat plain.kib) + 20000))
// RUN: bash -c "ulimit -v 100000 && ./prog" > limited.kib
// RUN: test $(cat limited.kib) -lt $(($(cat plain.kib) + 8000))
// RUN: %arcline export --format=lcov prog | grep -x 'FNDA:7,work'
// RUN: bash -c "ulimit -d 100000 && ./prog" > limited.kib
// RUN: test $(cat limited.kib) -lt $(($(cat plain.kib) + 8000))
// RUN: bash -c "ulimit -v 100000 && ARCLINE_OPTIONS=stacks=on ./prog" > on.kib
// RUN: test $(cat on.kib) -gt $(($(cat plain.kib) + 20000))
#include <stdio.h>
#include <unistd.h>

__attribute__((noinline)) static long work(long n) { return n + 1; }

int main(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long n_pages = 0;

  for (int i = 0; i < 7; i++)
    n_pages = work(n_pages);
  if (!file || fscanf(file, "%ld", &n_pages) != 1)
    return 1;
  printf("%ld\n", n_pages * (sysconf(_SC_PAGESIZE) / 1024));
  return 0;
}
