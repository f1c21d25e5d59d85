/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Extracts the text of a condition from a source file, for reports: the part of
 * an expression that `&&`, `||`, `?`, `:` or a closing parenthesis ends.
 */
#ifndef ARCLINE_CONDITION_TEXT_H
#define ARCLINE_CONDITION_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct source_text;

/**
 * Write the text of the condition that begins at a place, with a NUL. A text
 * that goes on in the next line, or does not fit, ends in "...".
 *
 * column  in bytes, from 1; 0: unknown.
 *
 * Returns its length; 0 if there is none.
 */
size_t condition_text_write(const struct source_text *text, uint32_t line,
                            uint32_t column, char *out, size_t n_out);

#endif
