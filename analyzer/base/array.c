/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { FIRST_CAPACITY = 32 };

// Size of a large page. Smaller arrays are not worth the call.
#define LARGE_PAGE ((uintptr_t)2 << 20)

/** Request large pages for the part of an array that covers them whole. A
 * failure does no harm. */
static void want_large_pages(void *array, size_t n_bytes) {
  const uintptr_t start = (uintptr_t)array;
  const uintptr_t first = (start + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
  const uintptr_t end = (start + n_bytes) & ~(LARGE_PAGE - 1);

  if (n_bytes >= 2 * LARGE_PAGE && first < end)
    madvise((char *)array + (first - start), end - first, MADV_HUGEPAGE);
}

void *array_resize(void *array, size_t n, size_t size) {
  void *const resized = reallocarray(array, n, size);

  if (resized)
    want_large_pages(resized, n * size);
  return resized;
}

void *array_zeroed(size_t n, size_t size) {
  void *const zeroed = calloc(n, size);

  if (zeroed)
    want_large_pages(zeroed, n * size);
  return zeroed;
}

void *array_trim(void *array, size_t n, size_t size) {
  void *const smaller = array ? reallocarray(array, n ? n : 1, size) : NULL;

  return smaller ? smaller : array;
}

void *array_enlarge(void *array, size_t *capacity, size_t size) {
  const size_t wanted = *capacity ? *capacity * 2 : FIRST_CAPACITY;
  void *const bigger = array_resize(array, wanted, size);
  if (bigger)
    *capacity = wanted;
  return bigger;
}
