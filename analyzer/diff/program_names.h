/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Names the programs of a comparison: by the last part of their paths, or as
 * many parts as make those of one side distinct.
 */
#ifndef ARCLINE_PROGRAM_NAMES_H
#define ARCLINE_PROGRAM_NAMES_H

#include <stddef.h>

struct err;
struct model;

/** All zero is empty. */
struct program_names {
  const char **names; /* by object of the model, which lends them; NULL: of a
                         library */
  size_t n_programs;
};

/** Name the programs of a model. Returns 0; or -1 with *err set (no memory) and
 * *out empty. Owns: caller calls program_names_release(out). */
int program_names_find(const struct model *model, struct program_names *out,
                       struct err *err);

/** Free; an empty one may be released too. */
void program_names_release(struct program_names *names);

#endif
