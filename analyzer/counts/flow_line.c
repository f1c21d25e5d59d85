/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/flow_line.h"

#include "base/sort_u64.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t key_of(const char *element) {
  struct flow_line pos;

  memcpy(&pos, element, sizeof(pos));
  return (uint64_t)pos.i_file << 32 | pos.line;
}

static bool is_sorted(const char *elements, size_t n, size_t size) {
  for (size_t i = 1; i < n; i++)
    if (key_of(elements + i * size) < key_of(elements + (i - 1) * size))
      return false;
  return true;
}

static int sort_by_line(char *elements, size_t n, size_t size) {
  struct sort_pair *const pairs = reallocarray(NULL, n, sizeof(*pairs));

  if (!pairs)
    return -1;
  for (size_t i = 0; i < n; i++)
    pairs[i] = (struct sort_pair){key_of(elements + i * size), i};
  char *const sorted =
      sort_pairs(pairs, n) == 0 ? reallocarray(NULL, n, size) : NULL;
  for (size_t i = 0; sorted && i < n; i++)
    memcpy(sorted + i * size, elements + pairs[i].value * size, size);
  if (sorted)
    memcpy(elements, sorted, n * size);
  free(sorted);
  free(pairs);
  return sorted ? 0 : -1;
}

int flow_line_sort(void *elements, size_t n, size_t size,
                   merge_sort_compare *compare) {
  char *const first = elements;

  if (!is_sorted(first, n, size) && sort_by_line(first, n, size) != 0)
    return -1;
  for (size_t i = 0, end; compare && i < n; i = end) {
    const uint64_t key = key_of(first + i * size);
    for (end = i + 1; end < n && key_of(first + end * size) == key;)
      end++;
    if (merge_sort_runs(first + i * size, end - i, size, compare, NULL) != 0)
      return -1;
  }
  return 0;
}
