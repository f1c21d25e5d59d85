// Functions of another file are inlined by ThinLTO as in the plain build, and
// have the counts that they have without, in threads as well, where counters
// may be vectors.
// REQUIRES: lld
// RUN: echo 'for part in MAIN OTHER; do "$@" -g -pthread -D$part -c %s -o $part.o; done' > compile
// RUN: export ARCLINE_OPTIONS=hz=0
// RUN: sh -e compile %clang -O2 -flto=thin
// RUN: %clang -O2 -pthread -flto=thin -fuse-ld=lld MAIN.o OTHER.o -o plain && ./plain
//
// RUN: echo 'rm -f gmon.*; ./program && %arcline annotate --color=never program > $1' > run
// RUN: sh -e compile %arcline-cc -O2
// RUN: %arcline-cc -O2 -g -pthread MAIN.o OTHER.o -o program && not sh run apart
// RUN: %arcline annotate --color=never program > apart && FileCheck %s < apart
// CHECK: 3003000{{ +}}{{[0-9]+}}| int small(int x)
// CHECK: 1501500{{ +}}{{[0-9]+}}|     return x * 3;
//
// RUN: for options in -O2 '-O3 -fPIC'; do sh -e compile %arcline-cc $options -flto=thin; \
// RUN:   for linker in lld %if ld-plugin %{bfd %if gold %{gold%} mold%}; do \
// RUN:     which ld.$linker $linker > tool || test -s tool || continue; \
// RUN:     echo "$linker, $options"; \
// RUN:     %arcline-cc $options -g -pthread -flto=thin -fuse-ld=$linker MAIN.o OTHER.o -o program && \
// RUN:       sh run thin && diff apart thin || exit 1; \
// RUN:   done; \
// RUN: done
#ifdef OTHER
void *frame(int x, int *sum) {
  if (x > 1)
    *sum += x;
  return __builtin_frame_address(0);
}

int small(int x) {
  if (x & 1)
    return x * 3;
  return x + 1;
}
#else
#include <pthread.h>
#include <stdint.h>

void *frame(int x, int *sum);
int small(int x);

/* Returns whether a call of frame() is left. */
static void *work(void *unused) {
  unsigned sum = 0;
  int n = 0;
  for (int i = 0; i < 1001000; i++)
    sum += (unsigned)small(i);
  (void)unused;
  return (void *)(uintptr_t)(frame((int)sum, &n) != __builtin_frame_address(0));
}

int main(void) {
  pthread_t threads[2];
  int is_apart = work(0) != 0;
  void *result;
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], &result);
    is_apart |= result != 0;
  }
  return is_apart;
}
#endif
