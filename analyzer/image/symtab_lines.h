/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Turns a table of functions into one of functions and source lines, by GNU
 * gprof's rules for its option -l. A function's first line is the function
 * symbol itself; every further stretch of code of one line is a symbol that is
 * no function.
 */
#ifndef ARCLINE_SYMTAB_LINES_H
#define ARCLINE_SYMTAB_LINES_H

#include <stdint.h>

struct err;
struct lines;
struct symtab;

/**
 * Give each function symbol the file and line of its first byte. Symbols for
 * which they are unknown are not changed.
 *
 * lines  opened with LINES_GNU; lends the strings.
 */
void symtab_lines_locate(struct symtab *table, struct lines *lines);

/**
 * Add line symbols for the code in [text_low, text_high) and finish the table
 * again.
 *
 * table  finished, and symtab_lines_locate() was applied.
 *
 * Returns 0; or -1 with *err set (no memory); the table is valid either way.
 */
int symtab_lines_add(struct symtab *table, struct lines *lines,
                     uint64_t text_low, uint64_t text_high, struct err *err);

#endif
