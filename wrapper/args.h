/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Lists command line arguments, expands response files, and prints arguments
 * for a shell. They are not interpreted. */
#ifndef ARCLINE_WRAPPER_ARGS_H
#define ARCLINE_WRAPPER_ARGS_H

#include <stddef.h>

/** Owns its strings. All zero is the empty list; items[n] is NULL if n > 0. */
struct args {
  char **items;
  size_t n;
  size_t capacity;
};

/** Append a copy of text. Ends the program if there is no memory left. */
void args_add(struct args *args, const char *text);

/**
 * Append text; or, if it is @FILE and FILE can be read, the arguments in that
 * file, with response files named there replaced in the same way. As clang does
 * it, an @FILE that cannot be read stays as it is.
 */
void args_add_expanded(struct args *args, const char *text);

/**
 * Append text; or, if it is @FILE and FILE is no regular file, the arguments in
 * it: a pipe, as a shell makes for @<(COMMAND), can be read only once.
 */
void args_add_lasting(struct args *args, const char *text);

/** Print an argument as a shell reads it: in quotes if that is required. */
void args_print_quoted(const char *text);

/** Print all of them in a line, the same way. */
void args_print(const struct args *args);

/** Free all strings; leaves the empty list. */
void args_release(struct args *args);

#endif
