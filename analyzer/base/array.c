/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/array.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 32 };

void *array_enlarge(void *array, size_t *capacity, size_t size) {
  const size_t wanted = *capacity ? *capacity * 2 : FIRST_CAPACITY;
  void *const bigger = reallocarray(array, wanted, size);
  if (bigger)
    *capacity = wanted;
  return bigger;
}
