/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Formats large numbers with commas: 40,000,000; and parts in per cent.
 */
#ifndef ARCLINE_DIGITS_H
#define ARCLINE_DIGITS_H

#include <stddef.h>
#include <stdint.h>

struct row;

enum { PERCENT_MAX_DECIMALS = 9 };

/** A part in per cent, to be printed with that many decimals, at most
 * PERCENT_MAX_DECIMALS. It is 100 if the part is the whole, and never printed
 * as that otherwise; 0 of nothing. */
double percent_of(size_t part, size_t whole, int n_decimals);

/** Columns that a number takes. */
size_t digits_columns(uint64_t number);

/** Append a number in groups of three digits, with blanks before it up to a
 * width. */
void digits_add(struct row *row, uint64_t number, size_t width);

#endif
