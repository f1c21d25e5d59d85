/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Selects the tests of a suite that a change may affect: those that ran a
 * function whose body was changed. Anything else that was changed has a reason
 * in a list, since all tests may depend on it.
 */
#ifndef ARCLINE_SELECTION_H
#define ARCLINE_SELECTION_H

#include "contexts/suite.h"

struct err;
struct git_tree;
struct source_patterns;

/** All zero is empty. */
struct selection {
  bool *is_selected; /* tests, as the names of the index */
  size_t n_tests;
  char **reasons; /* why further tests may be affected; each once */
  size_t n_reasons, max_reasons;
};

/**
 * Select tests.
 *
 * option   for messages of git.
 * ignored  files whose changes affect no test.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls selection_release(out).
 */
int selection_make(const struct suite *suite, const struct git_tree *tree,
                   const char *option, const struct source_patterns *ignored,
                   struct selection *out, struct err *err);

/** Free; an empty one may be released too. */
void selection_release(struct selection *selection);

#endif
