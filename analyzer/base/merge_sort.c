/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/merge_sort.h"

#include <stdlib.h>
#include <string.h>

struct sorter {
  size_t size;
  merge_sort_compare *compare;
  const void *context;
};

// Recursion is as deep as the logarithm of n.
static void sort_range(const struct sorter *sorter, char *elements,
                       char *scratch, size_t n) {
  size_t size = sorter->size;

  if (n < 2)
    return;
  size_t n_left = n / 2;
  size_t n_right = n - n_left;
  char *left = elements;
  char *right = elements + n_left * size;
  sort_range(sorter, left, scratch, n_left);
  sort_range(sorter, right, scratch, n_right);

  char *out = scratch;
  while (n_left > 0 && n_right > 0) {
    char **from = &left;
    if (sorter->compare(left, right, sorter->context) <= 0) {
      n_left--;
    } else {
      from = &right;
      n_right--;
    }
    memcpy(out, *from, size);
    *from += size;
    out += size;
  }
  memcpy(out, left, n_left * size);
  // What is left on the right side stands in its place already.
  memcpy(elements, scratch, (n - n_right) * size);
}

int merge_sort(void *elements, size_t n, size_t size,
               merge_sort_compare *compare, const void *context) {
  const struct sorter sorter = {size, compare, context};

  if (n < 2)
    return 0;
  char *scratch = reallocarray(NULL, n, size);
  if (!scratch)
    return -1;
  sort_range(&sorter, elements, scratch, n);
  free(scratch);
  return 0;
}
