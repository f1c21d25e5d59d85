/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Loads a program for reports on functions: symbols of its objects and of code
 * outside of them, calls and time of each, measured inclusive times, and the
 * call graph. In the steps below, in their order.
 */
#ifndef ARCLINE_GRAPH_PROFILE_H
#define ARCLINE_GRAPH_PROFILE_H

#include <stddef.h>

#include "model/model.h"
#include "profile/callgraph.h"
#include "profile/measured.h"
#include "profile/profile.h"
#include "profile/side_join.h"
#include "profile/symspec.h"

struct err;

/** All zero is empty. */
struct graph_profile {
  struct model *model; /* borrowed until graph_profile_release() */
  struct side_join sides;
  struct symspec_tables filters;
  struct profile profile;
  struct measured measured;
  struct callgraph graph; /* empty until it is built */
};

/** Begin, with an empty program: load the symbols of a model, also those that
 * side files name; then the caller may select some of them by
 * symspec_resolve() into filters. */
int graph_profile_load(struct graph_profile *program, struct model *model,
                       const struct model_symbols *symbols, struct err *err);

/** Add measures, and the records of side files. After model_read_profiles().
 * flags: enum profile_flags; of several objects, PROFILE_OUTSIDE is one. */
int graph_profile_add(struct graph_profile *program, unsigned flags,
                      struct err *err);

/** Add up call stacks. */
int graph_profile_measure(struct graph_profile *program, struct err *err);

/** Nothing is added any more. */
void graph_profile_finish(struct graph_profile *program);

/** Compute the call graph. flags: enum callgraph_flags. */
int graph_profile_build(struct graph_profile *program, unsigned flags,
                        struct err *err);

/** Find file and line of the graph's symbols, which are few of a large
 * program's. All of these return 0, or -1 with *err set. */
int graph_profile_locate(struct graph_profile *program, struct err *err);

/**
 * All of these steps but the call graph, for callers without selections.
 *
 * model  its profiles were read, its symbols not yet.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls graph_profile_release(out).
 * Errors: files that cannot be read or do not belong together; no memory.
 */
int graph_profile_open(struct model *model, const struct model_symbols *symbols,
                       struct graph_profile *out, struct err *err);

/** Free; an empty one may be released too. */
void graph_profile_release(struct graph_profile *program);

#endif
