/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One call through a pointer that reaches 4,096 functions; then ten calls of
   another one. */
#define NOINLINE __attribute__((noinline))
#define F(n)                                                                   \
  NOINLINE static void f##n(void) { __asm__ volatile(""); }
#define EIGHT(m, n)                                                            \
  m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7)
#define SIXTY_FOUR(m, n)                                                       \
  EIGHT(m, n##0)                                                               \
  EIGHT(m, n##1)                                                               \
  EIGHT(m, n##2)                                                               \
  EIGHT(m, n##3) EIGHT(m, n##4) EIGHT(m, n##5) EIGHT(m, n##6) EIGHT(m, n##7)
#define MANY(m, n)                                                             \
  SIXTY_FOUR(m, n##0)                                                          \
  SIXTY_FOUR(m, n##1)                                                          \
  SIXTY_FOUR(m, n##2)                                                          \
  SIXTY_FOUR(m, n##3)                                                          \
  SIXTY_FOUR(m, n##4)                                                          \
  SIXTY_FOUR(m, n##5) SIXTY_FOUR(m, n##6) SIXTY_FOUR(m, n##7)
#define ALL(m)                                                                 \
  MANY(m, 0)                                                                   \
  MANY(m, 1) MANY(m, 2) MANY(m, 3) MANY(m, 4) MANY(m, 5) MANY(m, 6) MANY(m, 7)

ALL(F)
NOINLINE static void leaf(void) { __asm__ volatile(""); }
NOINLINE static void after(void) { __asm__ volatile("# after"); }

#define NAME(n) f##n,
static void (*volatile const all[])(void) = {ALL(NAME) leaf};

int main(void) {
  for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)
    all[i]();
  for (int i = 0; i < 10; i++)
    after();
  return 0;
}
