/* daemon(3) forks, and the parent ends inside of libc: its counts are in the
   pool once, and so are those of the daemon. */
// RUN: %arcline-cc -O1 -g %s -o prog
// RUN: export ARCLINE_OPTIONS=out=pool/%%m
// The daemon keeps the pipe open to its end.
// RUN: ./prog | cat
// RUN: %arcline export --format=lcov pool | FileCheck %s
// CHECK-DAG: FNDA:5,configure
// CHECK-DAG: FNDA:1,main
// CHECK-DAG: FNDA:3,serve
#define _GNU_SOURCE
#include <unistd.h>

static volatile int n;

__attribute__((noinline)) static void configure(void) { n++; }

__attribute__((noinline)) static void serve(void) { n--; }

int main(void) {
  for (int i = 0; i < 5; i++)
    configure();
  if (daemon(1, 1) != 0)
    return 1;
  for (int i = 0; i < 3; i++)
    serve();
  return 0;
}
