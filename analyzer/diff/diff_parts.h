/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Fills the arrays of a diff: parts of diff.c. All return 0, or -1 with *err
 * set. */
#ifndef ARCLINE_DIFF_PARTS_H
#define ARCLINE_DIFF_PARTS_H

#include "diff/diff.h"

/** Functions of both sides, by name. */
int diff_join_funcs(const struct diff_side *sides, struct diff *out,
                    struct err *err);

/** Lines that are on both sides, by text. Two sides. */
int diff_join_lines(const struct diff_side *sides,
                    const struct diff_options *options, struct diff *out,
                    struct err *err);

/** Calls of both sides, by the names of caller and callee. */
int diff_join_calls(const struct diff_side *sides, struct diff *out,
                    struct err *err);

/** Coverage of a side; of the last one, by file, folder and function as well.
 */
int diff_count_covered(const struct diff_side *side, size_t i_side,
                       const struct diff_options *options, struct diff *out,
                       struct err *err);

/** Free its parts of a diff. */
void diff_release_covered(struct diff *diff);

/** Is a file one that the user wants to hear of? */
bool diff_wants_file(const struct diff_options *options, size_t i_side,
                     const char *name);

#endif
