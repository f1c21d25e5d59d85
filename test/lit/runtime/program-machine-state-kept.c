/* Counting preserves the processor's state at the entry of functions, also if a
   first call enters the runtime and while samples are taken: rounding and
   exception flags of SSE and x87, values on the x87 stack, the direction flag's
   being clear, and vector registers that are live. */
// RUN: for flag in avx avx2 avx512f; do \
// RUN:   ! grep -qw $flag /proc/cpuinfo || echo -m$flag; done > flags
// RUN: for level in 0 2; do \
// RUN:   %arcline-cc -O$level @flags %s -o %t -lm -lpthread && \
// RUN:   env ARCLINE_OPTIONS=hz=10000 %t || exit 1; done
// RUN: env ARCLINE_PASS_OPTIONS=blocks=off:calls=mcount \
// RUN:   %arcline-cc -O2 @flags %s -o %t -lm -lpthread
// RUN: env ARCLINE_OPTIONS=hz=10000 %t
// REQUIRES: x86_64
#include <fenv.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

#pragma STDC FENV_ACCESS ON

enum { N_ROUNDS = 100000, N_THREADS = 20 };

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void other(void) { __asm__ volatile(""); }

static void (*volatile pointer)(void) = leaf;

static void check(int is_fine, const char *what) {
  if (is_fine)
    return;
  fprintf(stderr, "%s\n", what);
  abort();
}

/* Calls by name and through a pointer, while all this is in the processor. */
static void *work(void *arg) {
  const uint32_t wanted = 0x1fa0 | 0x6000 | 0x8040; // to zero, flush, inexact
  uint16_t x87 = 0x0c7f, found;
  double on_x87;

  _mm_setcsr(wanted);
  __asm__ volatile("fldcw %0" : : "m"(x87));
  for (int i = 0; i < N_ROUNDS; i++) {
    __asm__ volatile("fld1\nfldpi\nfaddp");
    pointer();
    pointer = i & 1 ? leaf : other;
    leaf();
    __asm__ volatile("fstpl %0" : "=m"(on_x87));
    check(on_x87 > 4.14 && on_x87 < 4.15, "x87 stack");
    check(!(__readeflags() & 0x400), "direction flag");
    check(_mm_getcsr() == wanted, "MXCSR");
  }
  __asm__ volatile("fnstcw %0" : "=m"(found));
  check(found == x87, "x87 control word");
#ifdef __AVX__
  __m256d a = _mm256_set1_pd(1), b = _mm256_set1_pd(2);
  for (int i = 0; i < N_ROUNDS; i++) {
    __asm__ volatile("" : "+x"(a), "+x"(b));
    leaf();
    a = _mm256_add_pd(a, b);
  }
  check(a[0] == 1 + 2.0 * N_ROUNDS && a[3] == a[0], "AVX");
#endif
#ifdef __AVX512F__
  __m512d c = _mm512_set1_pd(1);
  __mmask8 mask = 0x55;
  for (int i = 0; i < N_ROUNDS; i++) {
    __asm__ volatile("" : "+v"(c), "+Yk"(mask));
    leaf();
    c = _mm512_mask_add_pd(c, mask, c, c * 0 + 2);
  }
  check(c[0] == 1 + 2.0 * N_ROUNDS && c[1] == 1, "AVX-512");
#endif
  return arg;
}

int main(void) {
  pthread_t threads[N_THREADS];

  check(fesetround(FE_UPWARD) == 0, "fesetround");
  for (int i = 0; i < N_THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < N_THREADS; i++)
    pthread_join(threads[i], NULL);
  check(fegetround() == FE_UPWARD, "rounding");
  return 0;
}
