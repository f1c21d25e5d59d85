/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/merge_sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LITTLE_BYTES = 1024 };

struct sorter {
  size_t size;
  merge_sort_compare *compare;
  const void *context;
  bool is_consistent;
};

/** Copy an element: of usual sizes by a few instructions. */
static inline void copy_one(char *out, const char *in, size_t size) {
  switch (size) {
  case 4: // most are indices
    memcpy(out, in, 4);
    break;
  case 8:
    memcpy(out, in, 8);
    break;
  case 16:
    memcpy(out, in, 16);
    break;
  case 24:
    memcpy(out, in, 24);
    break;
  case 32:
    memcpy(out, in, 32);
    break;
  default:
    memcpy(out, in, size);
  }
}

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

  if (sorter->is_consistent &&
      sorter->compare(right - size, right, sorter->context) <= 0)
    return;
  char *out = scratch;
  while (n_left > 0 && n_right > 0) {
    char **from = &left;
    if (sorter->compare(left, right, sorter->context) <= 0) {
      n_left--;
    } else {
      from = &right;
      n_right--;
    }
    copy_one(out, *from, size);
    *from += size;
    out += size;
  }
  memcpy(out, left, n_left * size);
  // The rest of the right half is already in place.
  memcpy(elements, scratch, (n - n_right) * size);
}

static int sort(const struct sorter *sorter, void *elements, size_t n) {
  const size_t size = sorter->size;

  if (n < 2)
    return 0;
  // Entries of a call graph have few lines, and there are many of them.
  char little[LITTLE_BYTES];
  char *const scratch =
      n <= sizeof(little) / size ? little : reallocarray(NULL, n, size);
  if (!scratch)
    return -1;
  sort_range(sorter, elements, scratch, n);
  if (scratch != little)
    free(scratch);
  return 0;
}

int merge_sort(void *elements, size_t n, size_t size,
               merge_sort_compare *compare, const void *context) {
  const struct sorter sorter = {size, compare, context, false};

  return sort(&sorter, elements, n);
}

int merge_sort_runs(void *elements, size_t n, size_t size,
                    merge_sort_compare *compare, const void *context) {
  const struct sorter sorter = {size, compare, context, true};

  return sort(&sorter, elements, n);
}
