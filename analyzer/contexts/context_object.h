/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Describes an executable or library for the index of contexts: its functions,
 * their lines, and the versions of their source files. */
#ifndef ARCLINE_CONTEXT_OBJECT_H
#define ARCLINE_CONTEXT_OBJECT_H

#include "contexts/context_solver.h"

#include <stdbool.h>

struct err;

/**
 * Make the description.
 *
 * The version of a file is git's name of its contents, so that `arcline select`
 * can compare it with any revision. It is unknown if git is missing, or if the
 * file was changed after the image was built.
 *
 * Returns 0 and bytes to free(); or -1 with *err set (no memory).
 */
int context_object_describe(const struct context_solver *solver, bool has_lines,
                            char **bytes, size_t *n_bytes, struct err *err);

#endif
