/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Linkage names of functions as people know them.
 */
#ifndef ARCLINE_FUNC_NAMES_H
#define ARCLINE_FUNC_NAMES_H

/** The name as its source language writes it, or NULL if it is not mangled (or
 * memory ran out). To be freed. */
char *func_name_demangle(const char *linkage_name);

/** The same without the type of what a function returns, which the names of
 * templates have in front. */
char *func_name_demangle_plain(const char *linkage_name);

#endif
