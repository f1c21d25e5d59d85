/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/flow_line.h"

#include "base/sort_u64.h"

#include <stdint.h>

static uint64_t key_of(const void *element) {
  const struct flow_line *const pos = element;

  return (uint64_t)pos->i_file << 32 | pos->line;
}

int flow_line_sort(void *elements, size_t n, size_t size,
                   merge_sort_compare *compare) {
  char *const first = elements;

  if (sort_by_key(first, n, size, key_of) != 0)
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
