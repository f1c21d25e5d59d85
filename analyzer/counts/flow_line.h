/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Defines a line of a source file as counts refer to it, with the file's
 * number, and its order.
 */
#ifndef ARCLINE_FLOW_LINE_H
#define ARCLINE_FLOW_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/merge_sort.h"
#include "base/sorted.h"

struct flow_line {
  uint32_t i_file; /* index into flow_data.files */
  uint32_t line;   /* 0: unknown */
};

/** In order of file and line: negative, zero or positive. */
static inline int flow_line_compare(struct flow_line a, struct flow_line b) {
  const uint32_t x = a.i_file != b.i_file ? a.i_file : a.line;
  const uint32_t y = a.i_file != b.i_file ? b.i_file : b.line;

  return (x > y) - (x < y);
}

/** The same for structs that begin with a source line; a merge_sort_compare. */
static inline int flow_line_compare_first(const void *left, const void *right,
                                          const void *context) {
  (void)context;
  return flow_line_compare(*(const struct flow_line *)left,
                           *(const struct flow_line *)right);
}

/** Number of elements before a line, of those that begin with a source line and
 * are in the order of it. size: bytes of an element. */
static inline size_t flow_line_count_before(const void *elements, size_t n,
                                            size_t size, struct flow_line pos) {
  return sorted_count_before(elements, n, size, &pos, flow_line_compare_first,
                             NULL);
}

/**
 * Sort elements that begin with a source line by it, in linear time.
 *
 * size     bytes of an element.
 * compare  the order of those of one line; NULL: they keep theirs.
 *
 * Returns 0 or -1 (no memory).
 */
int flow_line_sort(void *elements, size_t n, size_t size,
                   merge_sort_compare *compare);

#endif
