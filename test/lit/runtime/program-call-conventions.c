/* Functions of every calling convention, with arguments and results of every
   kind, behave the same with and without counting, at every level: each checks
   its arguments, and the sums are compared. This includes first calls, which
   enter the runtime. */
// RUN: for flag in avx avx2 avx512f; do \
// RUN:   ! grep -qw $flag /proc/cpuinfo || echo -m$flag; done > flags
// RUN: for level in 0 1 2 3; do \
// RUN:   %clang -O$level @flags %s -o plain && ./plain > expected && \
// RUN:   %arcline-cc -O$level @flags %s -o prog && ./prog > found && \
// RUN:   cmp expected found || exit 1; done
// RUN: for calls in on mcount; do \
// RUN:   env ARCLINE_PASS_OPTIONS=blocks=off:calls=$calls \
// RUN:   %arcline-cc -O2 @flags %s -o prog && ./prog > found && \
// RUN:   cmp expected found || exit 1; done
// REQUIRES: x86_64
#include <immintrin.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define OUT __attribute__((noinline))

typedef double vector4 __attribute__((vector_size(32)));
typedef float vector2 __attribute__((vector_size(16)));
struct large {
  uint64_t words[9];
};
struct mixed {
  double real;
  uint64_t number;
};

static uint64_t sum;

static void mix(uint64_t value) { sum = (sum ^ value) * 0x100000001b3; }

static void mix_real(double value) {
  uint64_t bits;

  memcpy(&bits, &value, sizeof(bits));
  mix(bits);
}

#define INTEGERS                                                               \
  uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,      \
      uint64_t g, uint64_t h
#define MIX_INTEGERS mix(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + h)
#define NUMBERS 1, 20, 300, 4000, 50000, 600000, 7000000, 80000000

/* A function of this convention that calls another one. */
#define CONVENTION(name)                                                       \
  OUT __attribute__((name)) static uint64_t name##_leaf(INTEGERS, double x) {  \
    MIX_INTEGERS;                                                              \
    mix_real(x);                                                               \
    return a * 11 + h;                                                         \
  }                                                                            \
  OUT __attribute__((name)) static uint64_t name##_function(INTEGERS,          \
                                                            double x) {        \
    MIX_INTEGERS;                                                              \
    const uint64_t result = name##_leaf(h, g, f, e, d, c, b, a, x * 3);        \
    MIX_INTEGERS;                                                              \
    mix_real(x);                                                               \
    return result + c;                                                         \
  }

CONVENTION(preserve_most)
CONVENTION(preserve_all)
CONVENTION(regcall)
CONVENTION(vectorcall)
CONVENTION(ms_abi)
CONVENTION(sysv_abi)
#if __has_attribute(preserve_none)
CONVENTION(preserve_none)
#endif

OUT __attribute__((vectorcall)) static vector4 in_vectors(vector4 a, vector2 b,
                                                          vector4 c) {
  return a * 2 + c + b[1];
}

OUT __attribute__((regcall)) static struct mixed
many_registers(INTEGERS, double p, double q, double r, vector4 v) {
  MIX_INTEGERS;
  return (struct mixed){p * q - r + v[3], a ^ g};
}

OUT static uint64_t variadic(int n, ...) {
  uint64_t result = 0;
  va_list list;

  va_start(list, n);
  for (int i = 0; i < n; i++) {
    result += va_arg(list, uint64_t);
    mix_real(va_arg(list, double));
  }
  va_end(list);
  return result;
}

OUT __attribute__((ms_abi)) static uint64_t variadic_ms(int n, ...) {
  uint64_t result = 0;
  __builtin_ms_va_list list;

  __builtin_ms_va_start(list, n);
  for (int i = 0; i < n; i++)
    result = result * 3 + __builtin_va_arg(list, uint64_t);
  __builtin_ms_va_end(list);
  return result;
}

/* By value on the stack, and returned in memory of the caller's. */
OUT static struct large by_value(struct large a, double x, struct mixed m) {
  for (int i = 0; i < 9; i++)
    a.words[i] = a.words[i] * 3 + (uint64_t)i;
  mix_real(x + m.real);
  a.words[8] += m.number;
  return a;
}

OUT static long double x87(long double a, long double b) { return a * b + 1; }

OUT static _Complex double complex_number(_Complex double a) { return a * a; }

OUT static __int128 wide(__int128 a, uint64_t b) { return a * b + 1; }

OUT static vector4 vectors(vector4 a, vector4 b, vector4 c, vector4 d,
                           vector4 e, vector4 f, vector4 g, vector4 h,
                           vector4 on_stack) {
  return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + on_stack;
}

#define PRINT(what)                                                            \
  printf("%s %llx\n", what, (unsigned long long)sum);                          \
  sum = 0
#define RUN(name)                                                              \
  mix(name##_function(NUMBERS, 1.5));                                          \
  PRINT(#name)

int main(void) {
  struct large large = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};
  vector4 v = {1, 2, 3, 4};

  for (int round = 0; round < 3; round++) {
    RUN(preserve_most);
    RUN(preserve_all);
    RUN(regcall);
    RUN(vectorcall);
    RUN(ms_abi);
    RUN(sysv_abi);
#if __has_attribute(preserve_none)
    RUN(preserve_none);
#endif
    v = in_vectors(v, (vector2){5, 6, 7, 8}, v * 3);
    v = vectors(v, v, v + 1, v, v * 2, v, v, v, v - 3);
    for (int i = 0; i < 4; i++)
      mix_real(v[i]);
    PRINT("vectors");
    const struct mixed m = many_registers(NUMBERS, 2.5, 3.5, 4.5, v);
    mix_real(m.real);
    mix(m.number);
    mix(variadic(4, (uint64_t)1, 0.5, (uint64_t)2, 0.25, (uint64_t)3, 0.125,
                 (uint64_t)4, 1e300));
    mix(variadic_ms(5, (uint64_t)1, (uint64_t)2, (uint64_t)3, (uint64_t)4,
                    (uint64_t)5));
    large = by_value(large, 0.5, m);
    for (int i = 0; i < 9; i++)
      mix(large.words[i]);
    mix_real((double)x87(3, round));
    mix_real(__real__ complex_number(2 + 3 * (_Complex double)1.0i));
    mix((uint64_t)(wide((__int128)1 << 70, 12345) >> 64));
    PRINT("others");
  }
  return 0;
}
