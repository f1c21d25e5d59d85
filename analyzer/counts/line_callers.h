/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds the functions of the source that calls are in. */
#ifndef ARCLINE_LINE_CALLERS_H
#define ARCLINE_LINE_CALLERS_H

#include <stdint.h>

struct err;
struct line_counts;

#define LINE_CALLER_NONE UINT32_MAX

/**
 * For each call, find the function around its line, the innermost one: a
 * lambda expression begins and ends within another function.
 *
 * out  by call: index in counts->funcs, or LINE_CALLER_NONE.
 *
 * Returns 0; or -1 with *err set (no memory).
 * Owns:   caller frees *out.
 */
int line_callers_find(const struct line_counts *counts, uint32_t **out,
                      struct err *err);

#endif
