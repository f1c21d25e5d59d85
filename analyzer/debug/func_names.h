/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Demangles linkage names of functions.
 */
#ifndef ARCLINE_FUNC_NAMES_H
#define ARCLINE_FUNC_NAMES_H

/** The name as its source language writes it, or NULL if it is not mangled (or
 * memory ran out). To be freed. */
char *func_name_demangle(const char *linkage_name);

/** The same without the return type, with which the names of templates
 * begin. */
char *func_name_demangle_plain(const char *linkage_name);

#endif
