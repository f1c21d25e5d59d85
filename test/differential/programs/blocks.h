/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// The functions that blocks.c inlines.
static inline int square(int n) {
  volatile int product = n * n;
  return product;
}

static inline int clamp(int n, int low, int high) {
  if (n < low)
    return low;
  return n > high ? square(high) : n;
}
