/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Declares what the parts of the stress program share: the account of its work,
 * and the functions in it.
 */
#ifndef STRESS_H
#define STRESS_H

enum {
  DIRECT,
  INDIRECT_0,
  INDIRECT_1,
  INDIRECT_2,
  INDIRECT_3,
  RECURSIVE_0,
  RECURSIVE_1,
  THROWS_0,
  THROWS_1,
  IN_HANDLER,
  AT_END, /* of threads: destructors, cleanups */
  LIBRARY_LEAF,
  N_COUNTED,
};

#define NEVER_INLINED __attribute__((noinline))
#define NOT_COUNTED __attribute__((no_profile_instrument_function))
#define ADD_1(n) __atomic_fetch_add(&(n), 1, __ATOMIC_RELAXED)

/** The number of entries of each function, and of runs of the line below in
 * it. */
extern "C" unsigned long stress_calls[N_COUNTED], stress_lines[N_COUNTED];

enum { STRESS_LINE = __LINE__ + 6 };

__attribute__((always_inline)) static inline void account(unsigned function,
                                                          int x) {
  ADD_1(stress_calls[function]);
  if (x % 3 == 0) {
    ADD_1(stress_lines[function]);
  }
}

/** Defines a function that keeps account of itself. */
#define STRESS_COUNTED(name, i)                                                \
  extern "C" NEVER_INLINED void name(int x) { account(i, x); }

#endif
