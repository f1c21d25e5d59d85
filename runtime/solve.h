/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * What solve.c, blocks.c and call_sites.c have in common while one profile is
 * solved. Everything is handler-safe.
 */
#ifndef ARCLINE_SOLVE_H
#define ARCLINE_SOLVE_H

#include "arcline/flow.h"
#include "profile.h"

#define RT_NONE UINT32_MAX

/** A source function. */
struct rt_func {
  const struct arcline_func *record;
  struct arcline_cursor aliases; /* in the encoded graph */
  struct arcline_cursor edges;
  struct arcline_cursor calls; /* at their number; in damaged data: empty */
  struct arcline_graph_head head;
  const char *strings;
  uint32_t n_calls, n_names;
  uint32_t first_node;    /* index into rt_solver.counts */
  uint32_t first_counter; /* index into rt_solver.values */
  uint32_t n_copies;
  uint32_t copy;  /* the last one, or RT_NONE */
  uint64_t vaddr; /* of its own body, or 0 */
  uint64_t n_entries;
  bool has_sites; /* in one of its copies at least */
  bool is_bad;    /* what it counted cannot be told */
};

/** A source function as the target of arcs. */
struct rt_callee {
  uint64_t vaddr;    /* of its own body, or 0 if no arcs are derived */
  uint64_t n_called; /* by arcs that were derived */
};

struct rt_body {
  uint32_t i_func;     /* or RT_NONE: of a function that has no record */
  uint32_t first_copy; /* or RT_NONE */
  uint64_t vaddr;      /* or 0 */
  bool is_bad;
};

struct rt_copy {
  uint32_t i_body, i_func;
  uint32_t next;       /* of the same body, or RT_NONE */
  uint32_t first_site; /* or RT_NONE */
};

struct rt_site {
  uint32_t next;   /* of the same copy, or RT_NONE */
  uint64_t n_arcs; /* entered by __arcline_indirect(), from first_arc on */
  size_t first_arc;
};

/** An open-addressing hash table; name NULL is a free slot. */
struct rt_name {
  const char *name;
  uint32_t i_func; /* or RT_NONE */
};

struct rt_names {
  struct rt_name *slots;
  uint32_t mask; /* number of slots minus 1 */
};

/** All that is known while a profile is solved. Arrays of one mapping. */
struct rt_solver {
  const struct rt_object *object;
  const struct rt_profile *profile; /* cells and arcs as collected */
  bool is_fixing_sites;
  size_t n_funcs, n_bodies, n_copies, n_sites;
  struct rt_func *funcs;
  struct rt_callee *callees; /* of all functions */
  struct rt_body *bodies;
  struct rt_copy *copies;
  struct rt_site *sites;
  uint64_t *values;      /* of all functions' counters, over all copies */
  uint64_t *counts;      /* of all functions' nodes, over all copies */
  uint32_t *node_at;     /* of these: an address minus text_low, plus 1; or 0 */
  uint64_t *copy_values; /* of the copy at hand */
  uint64_t *copy_counts;
  uint32_t *call_nodes; /* of the function at hand */
  struct arcline_edge *edges;
  struct arcline_flow_node *nodes;
  uint64_t *edge_counts;
  struct rt_names by_address, by_text; /* names of functions */
  uint32_t *by_vaddr;                  /* hash table of bodies */
  uint32_t by_vaddr_mask;
  uint8_t *is_taken; /* bit per byte of text: it has a pair */
  uint64_t text_low, text_bytes;
  struct rt_arc *arcs; /* the result */
  size_t n_arcs, n_arcs_room;
  struct rt_arc *mcounted; /* from: where calls are counted that the pass knows
                              nothing of; sorted; NULL if there are none */
  size_t n_mcounted, n_mcounted_room;
};

/* blocks.c */

/** Look up one address of each node. */
void rt_blocks_locate(struct rt_solver *s);
/** List pairs of address and count; room for all addresses. */
void rt_blocks_list(struct rt_solver *s, struct rt_profile *out);

/* call_sites.c */

/** Enter all functions and bodies into the hash tables; find sites' arcs.
 * Returns 0 or -ENOMEM; rt_calls_release() afterwards, in any case. */
int rt_calls_prepare(struct rt_solver *s);
void rt_calls_release(struct rt_solver *s);
/** Add arcs of the calls that a function has made.
 *
 * i_copy  in this copy of it; RT_NONE: in all, where the copy does not matter.
 * counts  of its nodes. */
void rt_calls_visit(struct rt_solver *s, uint32_t i_func, uint32_t i_copy,
                    const uint64_t *counts);
/** Add arcs of calls that came from nowhere, once all others are there. */
void rt_calls_finish(struct rt_solver *s);

#endif
