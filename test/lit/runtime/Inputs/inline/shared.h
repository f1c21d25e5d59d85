/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Functions that several sources define alike. */
#ifndef SHARED_H
#define SHARED_H

inline int shared(int x) {
  int sum = 0;

  for (int i = 0; i < 3; i++)
    if ((x + i) % 2)
      sum += i; // shared line
  return sum;
}

/* At -O2, inlined into all callers. */
inline int shared_and_inlined(int x) { return x * 3; }

template <typename T> __attribute__((noinline)) T shared_template(T x) {
  return x + 1;
}

#endif
