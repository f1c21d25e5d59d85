/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Formats large numbers with commas: 40,000,000.
 */
#ifndef ARCLINE_DIGITS_H
#define ARCLINE_DIGITS_H

#include <stddef.h>
#include <stdint.h>

struct row;

/** Columns that a number takes. */
size_t digits_columns(uint64_t number);

/** Append a number in groups of three digits, with blanks before it up to a
 * width. */
void digits_add(struct row *row, uint64_t number, size_t width);

#endif
