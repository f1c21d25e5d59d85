/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Searches sorted arrays: of any type, by the comparison that sorted them, and
 * of structs that begin with a uint64_t, by that number.
 */
#ifndef ARCLINE_SORTED_H
#define ARCLINE_SORTED_H

#include "base/merge_sort.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * Count the elements that sort before a key: the first one that does not is at
 * this index, if there is one. O(log n).
 *
 * size     bytes of an element.
 * key      handed to compare on the right, with an element on the left: an
 *          element, or anything else that compare takes there.
 * context  handed to compare.
 */
static inline size_t sorted_count_before(const void *elements, size_t n,
                                         size_t size, const void *key,
                                         merge_sort_compare *compare,
                                         const void *context) {
  size_t low = 0, high = n;

  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare((const char *)elements + middle * size, key, context) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/** The index of the first element that sorts with a key; n: there is none. */
static inline size_t sorted_find(const void *elements, size_t n, size_t size,
                                 const void *key, merge_sort_compare *compare,
                                 const void *context) {
  const size_t i =
      sorted_count_before(elements, n, size, key, compare, context);

  return i < n && compare((const char *)elements + i * size, key, context) == 0
             ? i
             : n;
}

/** Compares by the name that both begin with: structs, or pointers to names. A
 * merge_sort_compare; takes no context. */
static inline int sorted_compare_names(const void *left, const void *right,
                                       const void *context) {
  (void)context;
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static inline uint64_t sorted_key(const void *elements, size_t size, size_t i) {
  return *(const uint64_t *)((const char *)elements + i * size);
}

/** Count the elements whose keys are at most `key`: the first ones. O(log n).
 * size: bytes of an element. */
static inline size_t sorted_count_keys(const void *elements, size_t n,
                                       size_t size, uint64_t key) {
  size_t low = 0, high = n;

  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (sorted_key(elements, size, middle) <= key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/**
 * The same; O(1) if the answer is that of the last call or one more, and close
 * to it if it is a few more, so that looking up keys in ascending order does
 * not search the whole array.
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
  return *hint = low + sorted_count_keys((const char *)elements + low * size,
                                         high - low, size, key);
}

#endif
