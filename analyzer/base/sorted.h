/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Search in arrays of structs that begin with a uint64_t and are sorted by it.
 */
#ifndef ARCLINE_SORTED_H
#define ARCLINE_SORTED_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t sorted_key(const void *elements, size_t size, size_t i) {
  return *(const uint64_t *)((const char *)elements + i * size);
}

/**
 * Count the elements whose keys are at most `key`: the first ones. O(log n);
 * O(1) where the answer is that of the last call or one more, and next to it if
 * it is a few more, so that whoever asks for one key after the other does not
 * search among all.
 *
 * size  bytes of an element.
 * hint  answer of the last call; any number at first.
 */
static inline size_t sorted_count_up_to(const void *elements, size_t n,
                                        size_t size, uint64_t key,
                                        size_t *hint) {
  for (size_t i = *hint; i <= n && i - *hint < 2; i++)
    if ((i == 0 || sorted_key(elements, size, i - 1) <= key) &&
        (i == n || sorted_key(elements, size, i) > key))
      return *hint = i;
  size_t low = 0;
  size_t high = n;
  if (*hint < n && sorted_key(elements, size, *hint) <= key) {
    low = *hint + 1;
    for (size_t step = 1; low + step < n; step *= 2) {
      if (sorted_key(elements, size, low + step) > key) {
        high = low + step;
        break;
      }
      low += step + 1;
    }
  }
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (sorted_key(elements, size, mid) <= key)
      low = mid + 1;
    else
      high = mid;
  }
  return *hint = low;
}

#endif
