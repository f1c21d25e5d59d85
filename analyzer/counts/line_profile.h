/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Counts the source lines of a program in the most exact way that its profiles
 * allow: a view of a model and its flow graphs, for all commands that show
 * lines. The program may consist of several objects; their lines are one table.
 */
#ifndef ARCLINE_LINE_PROFILE_H
#define ARCLINE_LINE_PROFILE_H

#include "counts/code_lines.h"
#include "counts/excluded_lines.h"
#include "counts/flow_data.h"
#include "counts/line_counts.h"
#include "counts/source_funcs.h"
#include "debug/source_filter.h"
#include "model/model.h"

#include <stdbool.h>

struct err;

/** Counts and times of lines. All zero is empty. */
struct line_profile {
  struct model *model;
  struct flow_data *flow;   /* lends names and the numbers of files */
  struct code_lines *codes; /* by object of the model */
  struct line_counts counts;
  struct source_funcs funcs;   /* for coverage */
  struct excluded excluded;    /* line_profile_exclude() */
  struct source_filter filter; /* of the model, but for the root: none if no
                                  function is below one that was found */
  size_t n_outside;            /* files with lines that are outside of it */
  char **folders;              /* private: of images */
  bool has_counts;             /* lines were counted, perhaps all 0 */
  bool is_exact;    /* counts are from flow graphs, which are solved */
  bool has_times;   /* there are samples; then the next is set */
  uint32_t rate_hz; /* samples a second; 0: not of time */
};

/**
 * Count the lines of a program.
 *
 * model  its profiles were read with MEASURE_BLOCKS. Lines of its objects, and
 *        symbols of those without graphs, are opened. Borrowed, as the next,
 *        until line_profile_close().
 * flow   of the model: flow_load(). Names of files are added.
 * instances  set as by line_counts_build(), if all counts are exact, else to
 *            empty; NULL: not wanted.
 *
 * Returns 0; or -1 with *err set, *out and *instances empty.
 * Owns:   caller calls line_profile_close(out), and releases *instances.
 * Errors: an image's lines or symbols; no function is below a root that the
 * user named; no memory.
 */
int line_profile_open(struct model *model, struct flow_data *flow,
                      struct line_profile *out,
                      struct line_instances *instances, struct err *err);

/**
 * Remove lines, functions and branches that comments in the source exclude:
 * excluded_lines_remove(), by the filter.
 *
 * branches  of the same graphs; may be empty.
 *
 * Returns 0; or -1 with *err set (no memory).
 */
int line_profile_exclude(struct line_profile *profile,
                         struct branch_counts *branches, struct err *err);

/**
 * Warn if source files of the project have changed since they were compiled, as
 * far as images have their digests.
 *
 * Returns 0; or -1 with *err set (no memory).
 */
int line_profile_check_sources(const struct line_profile *profile,
                               struct err *err);

/**
 * Compute the self time of lines.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int line_profile_times(struct line_profile *profile, struct line_times *out,
                       struct err *err);

/**
 * Name the callees of indirect calls in profile->counts, if they were recorded:
 * those of other objects by the side files.
 *
 * Returns 0, or -1 with *err set (an image's symbols; no memory).
 */
int line_profile_name_callees(struct line_profile *profile, struct err *err);

/**
 * List indirect calls alone, with the names of their callees if these were
 * recorded. Before or after line_profile_name_callees().
 *
 * out  its calls are set; the rest of a line's has the callee "".
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls line_counts_release(out).
 */
int line_profile_indirect_calls(struct line_profile *profile,
                                struct line_counts *out, struct err *err);

/** Free; an empty one may be closed too. */
void line_profile_close(struct line_profile *profile);

#endif
