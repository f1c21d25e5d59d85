/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Finds the contexts of a suite that ran some functions or lines. */
#ifndef ARCLINE_CONTEXT_QUERY_H
#define ARCLINE_CONTEXT_QUERY_H

#include "contexts/context_index.h"

struct err;

/** Functions and lines of all objects that are current. All zero is empty. */
struct context_query {
  const struct context_index *index;
  uint8_t **masks;     /* of each object: bits as of its runs */
  size_t n_wanted;     /* bits that are set */
  bool is_by_function; /* a line is one of functions, since lines were not
                          recorded */
};

/** Begin a query of nothing. Returns 0, or -1 with *err set (no memory) and
 * *out empty. */
int context_query_begin(const struct context_index *index,
                        struct context_query *out, struct err *err);

/** Add function number i_func of an object. */
void context_query_add(struct context_query *query, size_t i_object,
                       size_t i_func);

/** Add the functions that a name fits: wanted_func.h. Returns 0, or -1 with
 * *err set: there is none, no memory. */
int context_query_add_name(struct context_query *query, const char *name,
                           struct err *err);

/** Add a line; file: the whole name, or the end of it after a slash. Returns 0,
 * or -1 with *err set: there is no code. */
int context_query_add_line(struct context_query *query, const char *file,
                           uint32_t line, struct err *err);

/** Contexts that ran any of it. */
struct context_hits {
  bool *has_run; /* as the names of the index */
  size_t n;
  bool has_none; /* processes without a context did */
};

/** Returns 0 and memory to be released; or -1 with *err set (damage, no
 * memory) and *out empty. */
int context_query_run(const struct context_query *query,
                      struct context_hits *out, struct err *err);

/**
 * Find the contexts whose last run of an executable or library was one of an
 * earlier build. Returns as context_query_run().
 */
int context_find_stale(const struct context_index *index,
                       struct context_hits *out, struct err *err);

/** Free; empty ones may be released too. */
void context_hits_release(struct context_hits *hits);
void context_query_release(struct context_query *query);

#endif
