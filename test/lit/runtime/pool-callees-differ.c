/* Processes of one program whose indirect calls have different first and second
   callees: in the program, inlined copies too, in a library that is counted, and
   in one that is not. The calls in a pool, also those between objects, are those
   in the sum of files of their own, and so are the counts of lines. */
// RUN: %arcline-cc -O2 -g -fPIC -shared -DLIBRARY %s -o libcounted.so
// RUN: %clang -O2 -fPIC -shared -DPLAIN %s -o libplain.so
// RUN: %arcline-cc -O2 -g %s -L. -lcounted -lplain -Wl,-rpath,$PWD -o prog
// RUN: %python -c "import itertools; print('\n'.join(''.join(p) + q for p in \
// RUN:   itertools.permutations('abcl', 3) for q in ('aa', 'pab', 'blc')))" > words
// RUN: count 72 < words
// RUN: mkdir single pool
// RUN: ARCLINE_OPTIONS=out=single/%%e.%%p:hz=0 xargs -P 4 -n 1 ./prog < words
// RUN: ARCLINE_OPTIONS=out=pool/%%m:hz=0 xargs -P 16 -n 1 ./prog < words
// RUN: ls -A pool | count 3
// RUN: %arcline merge -o a/ single && %arcline merge -o b/ pool
// RUN: for d in a b; do \
// RUN:   %arcline dump $d/prog.???????????????? | grep -v block > arcs.$d && \
// RUN:   %arcline dump $d/libcounted.so.* > library.$d && \
// RUN:   grep -v '^cpu ' $d/prog.*.arcline > side.$d && \
// RUN:   %arcline export --format=lcov $d > lines.$d && \
// RUN:   %arcline export --format=callgrind $d > calls.$d || exit 1; \
// RUN: done
// RUN: for f in arcs library side lines calls; do cmp $f.a $f.b || exit 1; done
//
// It did take both kinds of calls: what the pool names, and arcs.
// RUN: %arcline dump pool/prog.???????????????? > dump
// RUN: grep -c '^callee site=.* first=' dump && grep -c '^callee site=.* second=' dump
// RUN: grep -c '^arc from=' dump
// RUN: grep -c '^arc ' b/*.arcline
#include <stdlib.h>
#include <string.h>

typedef int function(int n);

function library, plain;

#ifdef LIBRARY
int library(int n) { return n + 4; }
#elif defined(PLAIN)
int plain(int n) { return n + 5; }
#else
__attribute__((noinline)) static int a(int n) { return n + 1; }
__attribute__((noinline)) static int b(int n) { return n + 2; }
__attribute__((noinline)) static int c(int n) { return n + 3; }

static function *find(char letter) {
  switch (letter) {
  case 'a':
    return a;
  case 'b':
    return b;
  case 'c':
    return c;
  case 'l':
    return library;
  default:
    return plain;
  }
}

/* Inlined into both of its callers. */
static inline __attribute__((always_inline)) int call(function *f, int n) {
  return n % 3 ? f(n) : n;
}

__attribute__((noinline)) static int run(const char *word) {
  int sum = 0;

  for (size_t i = 0; i < strlen(word); i++)
    for (int n = 0; n < (int)i + 2; n++)
      sum += call(find(word[i]), n);
  return sum;
}

__attribute__((noinline)) static int run_backwards(const char *word) {
  int sum = 0;

  for (size_t i = strlen(word); i; i--)
    sum += call(find(word[i - 1]), (int)i) + find(word[i / 2])(1);
  return sum;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  volatile int sum = run(argv[1]) + run_backwards(argv[1]);
  return sum == 0;
}
#endif
