/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Which function is the innermost one at each address, from ranges of functions
 * that may lie within one another or overlap.
 */
#ifndef ARCLINE_FUNC_SPANS_H
#define ARCLINE_FUNC_SPANS_H

#include "debug/func_table.h"

struct err;

/**
 * Turn ranges into spans: where several cover an address, the smallest one has
 * it, of equal ones that of the later function.
 *
 * ranges  none is empty; sorted here.
 * spans   set to an array that the caller frees; ascending, not overlapping.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int func_spans_build(struct func_span *ranges, size_t n_ranges,
                     struct func_span **spans, size_t *n_spans,
                     struct err *err);

#endif
