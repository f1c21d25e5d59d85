/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Matches lines of two versions of a text: those of a longest common
 * subsequence, as diff(1) finds it. Pure: no I/O.
 */
#ifndef ARCLINE_LINE_MATCH_H
#define ARCLINE_LINE_MATCH_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct source_text;

/**
 * Match the lines of two texts. Beyond some thousand lines that differ the rest
 * is left unmatched.
 *
 * out  [i] is the number in b of line i of a, both from 1; 0: it is not there.
 *
 * Returns 0; or -1 with *err set (no memory).
 * Owns:   caller frees *out.
 */
int line_match(const struct source_text *a, const struct source_text *b,
               uint32_t **out, struct err *err);

#endif
