/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Loads all data of a program's lines, for commands that show source text: a
 * view of its model and its flow graphs.
 */
#ifndef ARCLINE_LINE_INPUT_H
#define ARCLINE_LINE_INPUT_H

#include "counts/branch_counts.h"
#include "counts/code_lines.h"
#include "counts/library_times.h"
#include "counts/line_counts.h"
#include "counts/line_profile.h"
#include "report/annotate.h"

struct err;
struct graph_profile;

enum line_input_flags {
  LINE_INPUT_CALLEES = 1 << 0,   /* name those of indirect calls */
  LINE_INPUT_INSTANCES = 1 << 1, /* counts of each function of a line */
  LINE_INPUT_BRANCHES = 1 << 2,  /* counts of each way of branches */
};

/** All zero is empty. */
struct line_input {
  struct annotate_input input; /* the data below, as reports need it */
  struct line_profile profile;
  struct line_instances instances;
  struct branch_counts branches;
  struct line_times times;
  struct library_times libraries;
};

/**
 * Read everything.
 *
 * model, flow  as for line_profile_open(); borrowed until line_input_release().
 * program      view of the model by functions; NULL: there is none, and symbols
 *              are not loaded yet, but now.
 * flags        enum line_input_flags.
 * out          stays where it is until line_input_release().
 *
 * Returns 0, or -1 with *err set.
 * Owns:   caller releases *out, after an error, too.
 * Errors: those of line_profile_open(); nothing belongs to a line.
 */
int line_input_load(struct model *model, struct flow_data *flow,
                    const struct graph_profile *program, unsigned flags,
                    struct line_input *out, struct err *err);

/** Free; an empty one may be released too. */
void line_input_release(struct line_input *input);

#endif
