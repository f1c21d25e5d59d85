/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/array.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 32 };

void *array_grow(void *array, size_t n, size_t *capacity, size_t size) {
  if (n < *capacity)
    return array;
  const size_t wanted = *capacity ? *capacity * 2 : FIRST_CAPACITY;
  void *const bigger = reallocarray(array, wanted, size);
  if (bigger)
    *capacity = wanted;
  return bigger;
}
