/* The hooks that code calls by LLVM's convention preserve_most preserve its
   registers, in their first call, which maps memory, and in later ones. */
// RUN: %clang -O2 -I%include -I%S/Inputs %s -L%libdir -larcline -lpthread \
// RUN:   -o %t
// RUN: %t
#include <pthread.h>
#include <stdint.h>

#include "call_sites.h"

enum { N_VALUES = 12, N_ROUNDS = 1000 };

CALL_SITES_DATA

#pragma GCC visibility push(hidden)
__attribute__((preserve_most)) intptr_t
bias_slow(void) __asm__(ARCLINE_SYM_BIAS_SLOW);
__attribute__((preserve_most)) void
indirect(struct arcline_site *site,
         const void *callee) __asm__(ARCLINE_SYM_INDIRECT);
#pragma GCC visibility pop

static volatile uint64_t source[N_VALUES];

/* Values that live across the call: more than ordinary calls preserve. */
#define AROUND(call)                                                           \
  uint64_t a = source[0], b = source[1], c = source[2], d = source[3];         \
  uint64_t e = source[4], f = source[5], g = source[6], h = source[7];         \
  uint64_t i = source[8], j = source[9], k = source[10], l = source[11];       \
  call;                                                                        \
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i +   \
         10 * j + 11 * k + 12 * l

static NOINLINE uint64_t around_bias(void) { AROUND((void)bias_slow()); }

static NOINLINE uint64_t around_indirect(const char *callee) {
  AROUND(indirect(&call_site, callee));
}

/* Returns the number of values that have changed. */
static void *work(void *arg) {
  static const char callees[N_ROUNDS];
  uint64_t expected = 0;
  uintptr_t n_wrong = 0;

  for (uint64_t n = 0; n < N_VALUES; n++)
    expected += (n + 1) * source[n];
  for (int n = 0; n < N_ROUNDS; n++) {
    n_wrong += around_bias() != expected;
    n_wrong += around_indirect(callees + n) != expected;
    n_wrong += around_indirect(callees + n) != expected;
  }
  (void)arg;
  return (void *)n_wrong;
}

int main(void) {
  pthread_t thread;
  void *n_wrong;

  for (uint64_t n = 0; n < N_VALUES; n++)
    source[n] = 0x123456789abcdef * (n + 1);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, &n_wrong);
  call_any(call_f);
  return n_wrong || work(NULL);
}
