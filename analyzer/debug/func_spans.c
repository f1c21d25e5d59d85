/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/func_spans.h"

#include "base/err.h"
#include "base/sort_u64.h"

#include <stdlib.h>

static int compare_vaddrs(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/** Smaller ranges first; of equal ones that of the later DIE. */
static int compare_ranges(const void *a, const void *b) {
  const struct func_span *const x = a, *const y = b;
  const uint64_t x_bytes = x->high - x->low, y_bytes = y->high - y->low;
  if (x_bytes != y_bytes)
    return x_bytes < y_bytes ? -1 : 1;
  if (x->i_func != y->i_func)
    return x->i_func > y->i_func ? -1 : 1;
  return (x->low > y->low) - (x->low < y->low);
}

static size_t index_of(const uint64_t *vaddrs, size_t n_vaddrs,
                       uint64_t vaddr) {
  const uint64_t *const found =
      bsearch(&vaddr, vaddrs, n_vaddrs, sizeof(*vaddrs), compare_vaddrs);
  return (size_t)(found - vaddrs);
}

/** First cell from i on that has no owner yet. */
static size_t next_free(size_t *next, size_t i) {
  size_t end = i;
  while (next[end] != end)
    end = next[end];
  while (next[i] != end) {
    const size_t after = next[i];
    next[i] = end;
    i = after;
  }
  return end;
}

// Assigns the stretches between the ranges' ends to ranges, smallest range
// first; none is assigned twice.
int func_spans_build(struct func_span *ranges, size_t n_ranges,
                     struct func_span **spans, size_t *n_spans,
                     struct err *err) {
  *spans = NULL;
  *n_spans = 0;
  if (n_ranges == 0)
    return 0;
  int rc = -1;
  uint64_t *const vaddrs = calloc(n_ranges, 2 * sizeof(*vaddrs));
  size_t *const next = calloc(n_ranges, 2 * sizeof(*next));
  size_t *const owners = calloc(n_ranges, 2 * sizeof(*owners));
  if (!vaddrs || !next || !owners) {
    err_no_memory(err);
    goto out;
  }
  for (size_t i = 0; i < n_ranges; i++) {
    vaddrs[2 * i] = ranges[i].low;
    vaddrs[2 * i + 1] = ranges[i].high;
  }
  size_t n_vaddrs = 2 * n_ranges;
  if (sort_u64_unique(vaddrs, &n_vaddrs)) {
    err_no_memory(err);
    goto out;
  }
  for (size_t i = 0; i < n_vaddrs; i++) {
    next[i] = i;
    owners[i] = SIZE_MAX;
  }
  qsort(ranges, n_ranges, sizeof(*ranges), compare_ranges);
  for (size_t i = 0; i < n_ranges; i++) {
    const struct func_span *const range = &ranges[i];
    const size_t end = index_of(vaddrs, n_vaddrs, range->high);
    size_t cell = next_free(next, index_of(vaddrs, n_vaddrs, range->low));
    while (cell < end) {
      owners[cell] = range->i_func;
      next[cell] = cell + 1;
      cell = next_free(next, cell);
    }
  }
  *spans = calloc(n_vaddrs, sizeof(**spans));
  if (!*spans) {
    err_no_memory(err);
    goto out;
  }
  for (size_t i = 0; i + 1 < n_vaddrs; i++)
    if (owners[i] != SIZE_MAX)
      (*spans)[(*n_spans)++] = (struct func_span){
          .low = vaddrs[i], .high = vaddrs[i + 1], .i_func = owners[i]};
  rc = 0;
out:
  free(owners);
  free(next);
  free(vaddrs);
  return rc;
}
