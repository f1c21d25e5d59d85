/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads symbols from a text file instead of an image, one a line as the program
 * nm writes them: ADDRESS TYPE NAME.
 */
#ifndef ARCLINE_SYMBOL_LIST_H
#define ARCLINE_SYMBOL_LIST_H

#include <stdint.h>

struct err;
struct symtab;
struct text_file;

/**
 * Fill an empty table with the functions of a list: those of type T, and local
 * ones, of type t. Lines of anything else are skipped.
 *
 * text_last  last byte of section .text.
 * text       owns the names; caller releases it, after the table.
 *
 * Returns 0; or -1 with *err set: the file cannot be read, or lists no
 * function.
 */
int symbol_list_load(const char *path, uint64_t text_last,
                     struct text_file *text, struct symtab *out,
                     struct err *err);

#endif
