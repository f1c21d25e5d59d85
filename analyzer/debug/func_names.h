/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Linkage names of functions as people know them.
 */
#ifndef ARCLINE_FUNC_NAMES_H
#define ARCLINE_FUNC_NAMES_H

#include <stdbool.h>

/** The name as its source language writes it, or NULL if it is not mangled (or
 * memory ran out). To be freed. */
char *func_name_demangle(const char *linkage_name);

/** The same without the type of what a function returns, which the names of
 * templates have in front. */
char *func_name_demangle_plain(const char *linkage_name);

/**
 * Is the function one that a user may have meant by a name: its linkage name,
 * its name in the source language, or that without parameters?
 */
bool func_name_matches(const char *wanted, const char *linkage_name);

/** The same, for a pattern as of the shell. */
bool func_name_fits(const char *pattern, const char *linkage_name);

#endif
