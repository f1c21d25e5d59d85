/* A child that ends at once copies some pages, each of which costs as much as a
   system call: call stacks, of which it records none, add few pages. A child of
   a program with many cells gets their pages from the child before it, and to
   add them to the pool takes few others. If there are too many for that, it
   reads only pages that it used; but all of them if some may be swapped out. */
// RUN: %arcline-cc -O1 %s -o prog
// RUN: env ARCLINE_OPTIONS=out=off/%%m:hz=0 ./prog > off
// RUN: env ARCLINE_OPTIONS=out=on/%%m:hz=1:stacks=on ./prog > on
// RUN: test $(cat on) -lt $(($(cat off) + 40))
//
// RUN: %arcline-cc -O1 -g1 -DLARGE %s -o large && %clang -DLARGE %s -o plain
// RUN: env ARCLINE_OPTIONS=out=pool/%%m:hz=0 ./large > counted
// RUN: ./plain > pages && test $(cat counted) -lt $(($(cat pages) + 80))
// RUN: %arcline export --format=lcov pool | grep -x 'FNDA:51,f01234'
//
// RUN: %arcline-cc -O1 -g1 -DHUGE %s -o huge && %clang -DHUGE %s -o plain
// RUN: env ARCLINE_OPTIONS=out=huge.pool/%%m:hz=0 ./huge > counted
// RUN: ./plain > pages
// RUN: grep -qs '^SwapTotal: *[1-9]' /proc/meminfo || test $(cat counted) -lt $(($(cat pages) + 100))
// RUN: %arcline export --format=lcov huge.pool | grep -x 'FNDA:51,call_all'
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_CHILDREN = 50 };

#ifdef HUGE
__attribute__((section("__arcline_cnts"), used)) unsigned long room[200000];
#endif

#ifdef LARGE
static volatile int n;

#define F(x)                                                                   \
  __attribute__((noinline)) static void f##x(int i) {                          \
    if (i & 1)                                                                 \
      n++;                                                                     \
    if (i & 2)                                                                 \
      n += 2;                                                                  \
    if (i & 4)                                                                 \
      n += 3;                                                                  \
  }
#define CALL(x) f##x(i);
#define EIGHT(M, x)                                                            \
  M(x##0) M(x##1) M(x##2) M(x##3) M(x##4) M(x##5) M(x##6) M(x##7)
#define SQUARE(M, x)                                                           \
  EIGHT(M, x##0)                                                               \
  EIGHT(M, x##1)                                                               \
  EIGHT(M, x##2) EIGHT(M, x##3) EIGHT(M, x##4) EIGHT(M, x##5) EIGHT(M, x##6)   \
      EIGHT(M, x##7)
#define CUBE(M, x)                                                             \
  SQUARE(M, x##0)                                                              \
  SQUARE(M, x##1)                                                              \
  SQUARE(M, x##2) SQUARE(M, x##3) SQUARE(M, x##4) SQUARE(M, x##5)              \
      SQUARE(M, x##6) SQUARE(M, x##7)
#define ALL(M)                                                                 \
  CUBE(M, 00)                                                                  \
  CUBE(M, 01)                                                                  \
  CUBE(M, 02) CUBE(M, 03) CUBE(M, 04) CUBE(M, 05) CUBE(M, 06) CUBE(M, 07)

ALL(F)

static void call_all(int i) { ALL(CALL) }
#else
__attribute__((noinline)) static void call_all(int i) { (void)i; }
#endif

int main(void) {
  struct rusage usage;

  call_all(3);
  for (int i = 0; i < N_CHILDREN; i++) {
    if (fork() == 0) {
      call_all(i);
      exit(0);
    }
    wait(NULL);
  }
  if (getrusage(RUSAGE_CHILDREN, &usage))
    return 1;
  printf("%ld\n", usage.ru_minflt / N_CHILDREN);
  return 0;
}
