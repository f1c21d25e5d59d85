/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Determines the innermost function at each address, from ranges of functions
 * that may be nested or overlap.
 */
#ifndef ARCLINE_FUNC_SPANS_H
#define ARCLINE_FUNC_SPANS_H

#include "debug/func_table.h"

struct err;

/**
 * Turn ranges into spans: if several cover an address, it belongs to the
 * smallest one, of equal ones to that of the later function.
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
