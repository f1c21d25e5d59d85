/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Matches linkage names with functions of the source: names of no function of
 * the source, and several names of one.
 */
#ifndef ARCLINE_SOURCE_NAMES_H
#define ARCLINE_SOURCE_NAMES_H

#include <stdbool.h>

/**
 * Does the name alone show that the compiler made the function: a thunk, an
 * initialiser of globals, a part outlined for OpenMP or split off a coroutine?
 */
bool source_name_is_made(const char *linkage_name);

/** Are they variants of one constructor, or of one destructor? If one calls
 * another one, the code of the source is in the callee. */
bool source_name_are_variants(const char *a, const char *b);

/** A function's name, taken apart. Both are to be freed. */
struct source_name {
  char *text;      /* as in the source: of templates without arguments and
                      parameters. NULL: the linkage name is that already */
  char *arguments; /* of templates, one after the other; NULL: none */
};

/**
 * Take a name apart.
 *
 * Returns 0; or -1 (no memory) and *out empty.
 * Owns:   caller calls source_name_release(out).
 */
int source_name_parse(const char *linkage_name, struct source_name *out);

void source_name_release(struct source_name *name);

#endif
