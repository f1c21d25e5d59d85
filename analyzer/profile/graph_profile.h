/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A program as reports on functions see it: symbols of its objects and of code
 * outside of them, calls and time of each, measured inclusive times, and the
 * call graph. Made in the steps below, in their order.
 */
#ifndef ARCLINE_GRAPH_PROFILE_H
#define ARCLINE_GRAPH_PROFILE_H

#include <stdbool.h>
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
  struct model model; /* opened by the caller, closed here */
  struct side_join sides;
  struct symspec_tables filters;
  struct profile profile;
  struct measured measured;
  struct callgraph graph; /* empty until it is built */
};

/** Load symbols, also of what side files tell of; then the caller may select
 * some of them by symspec_resolve() into filters. */
int graph_profile_load(struct graph_profile *program,
                       const struct model_symbols *symbols, struct err *err);

/**
 * Read all profiles and add what side files say.
 *
 * flags         enum profile_flags, but PROFILE_JOINED.
 * has_measured  add up call stacks, too.
 */
int graph_profile_read(struct graph_profile *program,
                       const struct model_profiles *profiles, unsigned flags,
                       bool has_measured, struct err *err);

/** The parts of graph_profile_read(), behind model_read_profiles(): what was
 * measured and what side files say, and call stacks. */
int graph_profile_add(struct graph_profile *program, unsigned flags,
                      struct err *err);
int graph_profile_measure(struct graph_profile *program, struct err *err);

/** Nothing is added any more. */
void graph_profile_finish(struct graph_profile *program);

/** Compute the call graph. flags: enum callgraph_flags. All of these return 0,
 * or -1 with *err set. */
int graph_profile_build(struct graph_profile *program, unsigned flags,
                        struct err *err);

/**
 * All of these steps, for who selects nothing.
 *
 * options  what they lead to is borrowed until graph_profile_release().
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls graph_profile_release(out).
 * Errors: what cannot be read or does not belong together; no memory.
 */
int graph_profile_open(const struct inputs_options *options,
                       const struct model_symbols *symbols,
                       struct graph_profile *out, struct err *err);

/** Free; an empty one may be released too. */
void graph_profile_release(struct graph_profile *program);

#endif
