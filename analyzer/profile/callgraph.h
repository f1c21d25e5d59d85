/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Builds the call graph of a profile: finds cycles, and propagates self time
 * from functions to their callers in proportion to calls. Pure arithmetic, no
 * I/O; linear in symbols and arcs but for sorting; no recursion.
 *
 * The rules, and the order of all floating-point operations, are those of GNU
 * gprof, so that reports agree to the last digit.
 */
#ifndef ARCLINE_CALLGRAPH_H
#define ARCLINE_CALLGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"
#include "profile/used_symbols.h"

struct err;

/** A symbol or, after all symbols, a cycle. */
struct cg_node {
  double ticks;        /* self time; of a cycle: of its members */
  double child_ticks;  /* time of its callees */
  double fraction;     /* the part of its time that counts in the graph */
  double self_share;   /* ticks * fraction */
  double child_share;  /* the same of child_ticks */
  uint64_t calls;      /* from other functions; of a cycle: from outside */
  uint64_t self_calls; /* recursive; of a cycle: between its members */
  uint32_t cycle;      /* 1..n_cycles: belongs to, or is, that cycle; 0: none */
  uint32_t index;      /* from 1: place in the listing */
  uint32_t first_member; /* of a cycle: its range in callgraph.members */
  uint32_t n_members;
  bool is_printed; /* no selection hides it */
};

/** An arc; counts and symbols are in profile.arcs at the same index. */
struct cg_arc {
  double self_share;  /* of the child's self time that goes to the parent */
  double child_share; /* of the child's children's */
};

/** Indices of arcs, in groups: group i is [starts[i], starts[i + 1]). */
struct cg_groups {
  uint32_t *arcs;
  uint32_t *starts;
};

struct callgraph {
  const struct profile *profile; /* of the symbols below */
  struct used_symbols *used;     /* owns it; NULL: profile is of all symbols */
  const struct symtab *all_symbols; /* that numbers in the listing count */
  struct cg_node *nodes;            /* symbols, then cycles 1, 2, ... */
  size_t n_nodes;
  size_t n_symbols;
  size_t n_cycles;
  struct cg_arc *arcs;
  struct cg_groups by_parent; /* oldest arc first, as in profile.arcs */
  struct cg_groups by_child;
  struct cg_groups stacks_by_parent; /* the same of profile.stack_arcs */
  struct cg_groups stacks_by_child;
  uint32_t *members;  /* of cycles: indices of symbols */
  uint32_t *by_name;  /* symbols in order of name; of one name, of address */
  uint32_t *listing;  /* nodes in order of listing, by self + child share */
  double total_ticks; /* that the listing's percentages are of */
};

enum callgraph_flags {
  /* Have nodes for symbols that are neither called nor have time or arcs, too.
     Otherwise they may be left out; all numbers are those of a full listing. */
  CALLGRAPH_ALL_SYMBOLS = 1 << 0,
};

/**
 * Build the graph.
 *
 * profile  finished; borrowed until callgraph_release().
 * flags    enum callgraph_flags.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 */
int callgraph_build(const struct profile *profile, unsigned flags,
                    struct callgraph *out, struct err *err);

/** Node of a symbol's cycle, or the symbol itself if it is in none. */
static inline size_t callgraph_head(const struct callgraph *graph,
                                    size_t i_node) {
  uint32_t cycle = graph->nodes[i_node].cycle;

  return cycle ? graph->n_symbols + cycle - 1 : i_node;
}

/** Are the ends of an arc the same symbol, or in the same cycle? */
static inline bool callgraph_is_internal(const struct callgraph *graph,
                                         const struct profile_arc *arc) {
  if (arc->parent == arc->child)
    return true;
  if (graph->n_cycles == 0)
    return false;
  const uint32_t cycle = graph->nodes[arc->child].cycle;
  return cycle && cycle == graph->nodes[arc->parent].cycle;
}

/** The part of a symbol's time, or of its cycle's, that belongs to calls by
 * unknown callers. 0 if there are none, or the user excluded its time. */
double callgraph_outside_part(const struct callgraph *graph, size_t i_symbol);

/** Free; a released graph is empty. */
void callgraph_release(struct callgraph *graph);

#endif
