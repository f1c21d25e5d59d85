/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Allocates large arrays, and arrays that grow by doubling.
 */
#ifndef ARCLINE_ARRAY_H
#define ARCLINE_ARRAY_H

#include <stddef.h>

/**
 * As reallocarray(). For large arrays, pages of 2 MiB are requested, since each
 * page fault takes time.
 */
void *array_resize(void *array, size_t n, size_t size);

/** calloc(), with the same request. */
void *array_zeroed(size_t n, size_t size);

/** Free the room after the first n elements. Returns the array, which may have
 * moved. */
void *array_trim(void *array, size_t n, size_t size);

/** The slow path of array_grow(): enlarge the array. */
void *array_enlarge(void *array, size_t *capacity, size_t size);

/**
 * Make room for one more element.
 *
 * array     n elements of `size` bytes, room for *capacity; NULL and 0 at
 *           first.
 *
 * Returns the array, which may have moved, with *capacity set; or NULL (no
 * memory), with the old one unchanged.
 */
static inline void *array_grow(void *array, size_t n, size_t *capacity,
                               size_t size) {
  return n < *capacity ? array : array_enlarge(array, capacity, size);
}

#endif
