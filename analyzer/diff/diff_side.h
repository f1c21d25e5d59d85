/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Opens one of two programs, or two runs of one, that are compared: its lines
 * and its functions, as every other command has them.
 */
#ifndef ARCLINE_DIFF_SIDE_H
#define ARCLINE_DIFF_SIDE_H

#include "counts/branch_counts.h"
#include "counts/line_profile.h"
#include "model/newest.h"
#include "profile/graph_profile.h"

struct err;

/** All zero is empty. */
struct diff_side {
  struct model model;
  struct flow_data flow;
  struct line_profile lines;     /* two views of these */
  struct branch_counts branches; /* none without flow graphs */
  struct graph_profile program;
  struct newest newest; /* found if no profile was named */
  char *operands[2];    /* private: operands that it was opened by */
  char *owned;
};

/**
 * Open a program.
 *
 * operand  a side file or a folder of them; an image, of its newest profile; or
 *          a gmon file, whose image is given or recorded in the side file
 *          beside it. NULL: the newest profile, of any image or of that.
 * image    of a gmon file, or of a folder of them; or NULL.
 * options  with operands instead of those above if these are of an archive,
 *          otherwise without; borrowed, with all that it points to, until
 *          diff_side_release().
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls diff_side_release(out).
 */
int diff_side_open(const char *operand, const char *image,
                   const struct inputs_options *options, struct diff_side *out,
                   struct err *err);

/** The same without lines: faster, but without calls of inlined functions. */
int diff_side_open_functions(const char *operand, const char *image,
                             const struct inputs_options *options,
                             struct diff_side *out, struct err *err);

/** Free; an empty one may be released too. */
void diff_side_release(struct diff_side *side);

#endif
