/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Matches functions with a name that a user gives, as --function and gates take
 * it:
 *
 *   parse               of any class or namespace, and any instance of a
 *                       template
 *   Parser::parse       of any namespace
 *   Parser::parse(int)  with these parameters only
 *   ::parse             of no class or namespace
 *   _ZN6Parser5parseEi  linkage name
 *   Parser::*           pattern as of the shell
 */
#ifndef ARCLINE_WANTED_FUNC_H
#define ARCLINE_WANTED_FUNC_H

#include <stdbool.h>
#include <stddef.h>

#include "debug/name_tokens.h"

struct err;

/** All zero is empty. */
struct wanted_func {
  const char *text;        /* as the user wrote it; borrowed */
  struct name_tokens name; /* private from here */
  char *pattern;           /* NULL: it is no pattern */
  bool is_global;
};

/** Read a name or pattern, which is borrowed. Returns 0; or -1 (no memory) and
 * *out empty. */
int wanted_func_parse(const char *text, struct wanted_func *out);

/** Does the function of a linkage name match? */
bool wanted_func_fits(const struct wanted_func *wanted,
                      const char *linkage_name);

/** Free; an empty one may be released too. */
void wanted_func_release(struct wanted_func *wanted);

/** Suggestions for a name that no function has. */
enum { WANTED_MAX_HINTS = 3 };

/** All zero is empty. */
struct wanted_hints {
  struct wanted_hint {
    char *name; /* as the user could write it */
    unsigned distance;
  } hints[WANTED_MAX_HINTS]; /* the nearest first */
  size_t n_hints;
};

/** Offer a function, which is kept if it is one of the nearest: of the name but
 * with other parameters, of another class, or misspelt. */
void wanted_hints_offer(struct wanted_hints *hints,
                        const struct wanted_func *wanted,
                        const char *linkage_name);

/** Write "; did you mean NAME or NAME?" with those that are equally near, or
 * nothing. out: room for n bytes. */
void wanted_hints_write(const struct wanted_hints *hints, char *out, size_t n);

/** Report that no function of a name has something, with hints, which are
 * released. Returns -1 with *err set. */
int wanted_hints_refuse(struct wanted_hints *hints,
                        const struct wanted_func *wanted, const char *what,
                        struct err *err);

void wanted_hints_release(struct wanted_hints *hints);

#endif
