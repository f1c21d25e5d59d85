/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Makes functions that were inlined functions of their own: with the calls that
 * flow graphs count, and with the time of their code in others, found by debug
 * information. A function that was inlined everywhere, and thus is in no symbol
 * table, becomes a symbol of the program; so it is in profile, call graph and
 * call stacks like others.
 */
#ifndef ARCLINE_INLINED_H
#define ARCLINE_INLINED_H

#include "counts/flow_data.h"
#include "profile/graph_profile.h"

#include <stdint.h>

struct err;

/** All zero is empty. */
struct inlined {
  uint64_t *n_calls; /* by symbol of the model: of all, those that were inlined
                        in others; exact, if there are flow graphs */
  size_t n_symbols;
  size_t first_made; /* symbols from here on were made for functions without
                        code of their own */
  struct inlined_name *names; /* private from here */
  size_t n_names, max_names;
  struct inlined_time *times;
  size_t n_times, max_times;
  struct model *model;
};

/**
 * Open a program as graph_profile_open() does, with its call graph, and
 * separate inlined functions from those that they are in.
 *
 * flow  of the model: flow_load(). If it is empty, inlined functions have no
 *       calls. Its files are borrowed until the program is released.
 * out   released after the program.
 *
 * Returns 0; or -1 with *err set, and both are empty.
 * Owns:   caller releases *program, then *out.
 */
int inlined_open(struct model *model, const struct flow_data *flow,
                 const struct model_symbols *symbols,
                 struct graph_profile *program, struct inlined *out,
                 struct err *err);

enum inlined_kind {
  INLINED_NOWHERE,
  INLINED_PARTLY,
  INLINED_ALWAYS, /* whenever it was called */
};

/** The part of a symbol's calls, in the program's graph, that was inlined. */
enum inlined_kind inlined_kind_of(const struct inlined *inlined,
                                  const struct callgraph *graph,
                                  size_t i_symbol);

/** Free; an empty one may be released too. */
void inlined_release(struct inlined *inlined);

#endif
