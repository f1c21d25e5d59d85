/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Spreads measures over the symbols of a table: calls, arcs, time and blocks of
 * each.
 *
 * Reports get it const. Cycles and propagated time: callgraph.h. Profiles of
 * several objects: profile_join.h.
 */
#ifndef ARCLINE_PROFILE_H
#define ARCLINE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map64.h"
#include "image/symtab.h"
#include "measure/measure.h"
#include "profile/profile_parts.h"
#include "profile/symspec.h"

struct err;

enum profile_flags {
  /* Calls by unknown callers are kept, while GNU gprof drops them. */
  PROFILE_OUTSIDE = 1 << 0,
  /* As GNU gprof: no more than ten blocks of a symbol. */
  PROFILE_GNU = 1 << 1,
  PROFILE_LINES = 1 << 2,  /* lines are symbols, too */
  PROFILE_BLOCKS = 1 << 3, /* add counts of blocks */
};

struct profile {
  const struct symtab *symtab;
  const struct symspec_tables *filters;
  unsigned flags; /* enum profile_flags */

  struct symbol_counts *counts; /* symtab->n_symbols of them */
  struct profile_arc *arcs;     /* in order of first appearance */
  size_t n_arcs;
  struct profile_arc *stack_arcs; /* of call stacks alone: their calls are not
                                     counted; not in the call graph */
  size_t n_stack_arcs;
  struct profile_block *blocks;
  size_t n_blocks;

  struct measure_unit unit; /* of samples */
  double scale; /* of the first measure with bins: measure.h; 0: no bins */
  bool has_arcs;
  bool has_blocks;
  bool ignored_blocks; /* files have some, the measures do not */
  double total_ticks;

  const struct symtab_object *object; /* private from here */
  uint64_t last_from;                 /* caller of the last arc, if */
  size_t last_parent;                 /* has_last; SYMTAB_NONE: unknown */
  bool has_last;
  size_t arc_capacity, stack_arc_capacity;
  uint32_t *function_of; /* per symbol: it, or the next function below */
  size_t block_capacity;
  struct map64 arc_index; /* parent and child -> index of arc */
};

/**
 * Start an empty profile.
 *
 * symtab, filters  borrowed until profile_release().
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int profile_init(struct profile *profile, const struct symtab *symtab,
                 const struct symspec_tables *filters, unsigned flags,
                 struct err *err);

/**
 * Add the measures of an object. Samples are spread over symbols; an arc is
 * dropped unless both ends are known, as in GNU gprof, unless PROFILE_OUTSIDE.
 *
 * object  of several: its place in the table of symbols. NULL: the only one.
 *
 * Returns 0; or -1 with *err set (no memory): the profile is then fit for
 * profile_release() only.
 */
int profile_add(struct profile *profile, const struct measure *measure,
                const struct symtab_object *object, struct err *err);

/** Is there an arc between two symbols? */
bool profile_has_arc(const struct profile *profile, uint32_t i_parent,
                     uint32_t i_child);

/** Add an arc without calls between two symbols, unless there is one. The
 * user's choice of arcs is ignored, as in GNU gprof. */
int profile_add_static_arc(struct profile *profile, uint32_t i_parent,
                           uint32_t i_child, struct err *err);

/** Separate recursive calls from others. Once, after all was added. */
void profile_finish(struct profile *profile);

/**
 * Change a measure to the one that `gprof -s` writes: without arcs that the
 * user deselected, with blocks in order of symbols. With PROFILE_GNU, as GNU
 * gprof: arcs between symbols, in order of these, and only blocks of symbols.
 *
 * sum  all measures of the profile, which has only one object; nothing is added
 *      to it afterwards.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int profile_make_sum(const struct profile *profile, struct measure *sum,
                     struct err *err);

/** Free everything but the symbol table. A released profile is empty. */
void profile_release(struct profile *profile);

#endif
