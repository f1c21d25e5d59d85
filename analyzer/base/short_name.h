/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Shortens names of C++ step by step: removes parameters and the return type,
 * replaces template arguments by an ellipsis, removes outer namespaces.
 */
#ifndef ARCLINE_SHORT_NAME_H
#define ARCLINE_SHORT_NAME_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Shorten a demangled name until it fits, or as far as that goes.
 *
 * max_columns  0: leave it as it is.
 * is_utf8      of the ellipsis.
 *
 * Returns a text to be freed; NULL: the name as it is, or no memory.
 */
char *short_name(const char *name, size_t max_columns, bool is_utf8);

#endif
