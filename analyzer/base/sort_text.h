/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Sorts texts, in time linear in the bytes that differ. Names of one program
 * have long common prefixes, which comparing pairs would read again and again.
 */
#ifndef ARCLINE_SORT_TEXT_H
#define ARCLINE_SORT_TEXT_H

#include <stddef.h>
#include <stdint.h>

/**
 * Find the order that strcmp() has; equal texts keep theirs.
 *
 * n      below UINT32_MAX.
 * order  gets the index of the first text, of the second one, ...
 *
 * Returns 0, or -1 (no memory).
 */
int sort_texts(const char *const *texts, size_t n, uint32_t *order);

#endif
