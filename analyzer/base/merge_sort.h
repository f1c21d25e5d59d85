/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Sorts arrays, and keeps the order of equal elements. libc's qsort() promises
 * no order among equal elements, and the order of ties is part of the reports.
 */
#ifndef ARCLINE_MERGE_SORT_H
#define ARCLINE_MERGE_SORT_H

#include <stddef.h>

/** Negative, zero or positive, as left sorts before, with or after right. */
typedef int merge_sort_compare(const void *left, const void *right,
                               const void *context);

/**
 * Sort n elements of the given size; equal ones keep their order. Splits in
 * halves from the top, with the smaller one first, so that the result of an
 * inconsistent comparison is defined, too.
 *
 * context  handed to compare.
 *
 * Returns 0; or -1 if memory ran out, with the elements in their old order.
 */
int merge_sort(void *elements, size_t n, size_t size,
               merge_sort_compare *compare, const void *context);

/** The same for a consistent comparison: linear if the elements consist of a
 * few runs that are in order already. */
int merge_sort_runs(void *elements, size_t n, size_t size,
                    merge_sort_compare *compare, const void *context);

#endif
