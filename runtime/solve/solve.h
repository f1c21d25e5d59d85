/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * What solve.c, records.c, blocks.c, site_arcs.c and name_table.c have in
 * common while one profile is solved. Work is in proportion to what has run: of
 * a function that has not, only the head of its graph is read. Everything is
 * handler-safe.
 */
#ifndef ARCLINE_SOLVE_H
#define ARCLINE_SOLVE_H

#include "arcline/flow.h"
#include "solve/totals.h"

#define RT_NONE UINT32_MAX

/** A source function. */
struct rt_func {
  const char *strings;
  struct arcline_cursor aliases; /* in the encoded graph */
  struct arcline_graph_head head;
  uint32_t n_names;     /* with aliases; 0: damaged */
  uint32_t first_node;  /* among all nodes */
  uint32_t first_count; /* among nodes of functions that have run, or RT_NONE */
  uint32_t first_value; /* in rt_solver.values, if it has several copies */
  uint32_t n_copies;    /* in bodies that have run */
  uint64_t vaddr;       /* of its own body, or 0 */
  uint64_t n_entries;
  bool has_run;   /* a body with a copy of it has */
  bool has_sites; /* in one of its copies at least */
  bool is_leaf;   /* is known to have no calls */
  bool is_bad;    /* what it counted cannot be told */
};

/** A source function as the target of arcs. */
struct rt_callee {
  uint64_t vaddr;    /* of its own body, or 0 if no arcs are derived */
  uint64_t n_called; /* by arcs that were derived */
};

struct rt_body {
  uint64_t vaddr;  /* or 0 */
  uint32_t i_func; /* or RT_NONE: of a function that has no record */
  bool has_run;    /* a cell is not 0 */
  bool is_bad;
};

struct rt_site {
  uint32_t next;   /* of the same copy, or RT_NONE */
  uint64_t n_arcs; /* entered by __arcline_indirect(), from first_arc on */
  size_t first_arc;
};

/** A call site of the function at hand. */
struct rt_call {
  uint32_t node;
  uint32_t callee; /* string offset; 0: an indirect call; or RT_NONE */
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

/** All that is known while a profile is solved, and until its blocks are
 * written. */
struct rt_solver {
  struct rt_blocks blocks;   /* first, so that one pointer serves for both */
  const uint8_t *next_addrs; /* of the blocks: what is read next, */
  uint32_t next_addr;        /* and from which entry on */
  const struct rt_object *object;
  const struct rt_profile *profile; /* cells and arcs as collected */
  bool is_fixing_sites;
  bool is_out_of_memory;
  size_t n_funcs, n_bodies, n_copies, n_sites;
  struct rt_func *funcs;
  struct rt_callee *callees; /* of all functions */
  struct rt_body *bodies;
  uint32_t *first_sites; /* of all copies, or RT_NONE */
  struct rt_site *sites;
  uint64_t *values;      /* of functions with several copies, over all copies */
  uint64_t *counts;      /* of nodes of functions that have run */
  uint32_t *node_at;     /* of these: an address minus text_low, plus 1; or 0 */
  uint64_t *copy_values; /* of the copy at hand */
  uint64_t *copy_counts;
  struct rt_call *calls; /* of the function at hand */
  uint32_t n_calls;
  struct arcline_edge *edges; /* of the plan at hand */
  uint64_t *edge_counts;
  struct arcline_flow_node *nodes;
  struct rt_names by_address, by_text; /* names of functions */
  struct rt_name *resolved;            /* RT_N_RESOLVED callees, by address */
  uint32_t *by_vaddr;                  /* hash table of bodies */
  uint32_t by_vaddr_mask;
  uint8_t *is_listed; /* of all nodes: it has a pair */
  uint64_t *is_taken; /* bit per byte of text: it has a pair */
  uint64_t text_low, text_bytes;
  struct rt_arc *arcs; /* the result */
  size_t n_arcs, n_arcs_room;
  struct rt_arc *mcounted; /* from: where calls are counted that the pass knows
                              nothing of; sorted; NULL if there are none */
  size_t n_mcounted, n_mcounted_room;
};

/** How much room the solver's arrays need. */
struct rt_sizes {
  size_t n_nodes, n_counts, n_values, n_names;
  size_t max_nodes, max_counters, max_calls, max_plan;
};

enum { RT_N_RESOLVED = 4096 };

/* records.c */

static inline const void *rt_target(const arcline_rel32 *field) {
  return (const void *)((uintptr_t)field + (uintptr_t)(intptr_t)*field);
}
/** Returns n bytes of the data section, or NULL if they are not all in it. */
const uint8_t *rt_find_data(const struct rt_image *image,
                            const arcline_rel32 *field, uint32_t n);
/** Index of the body or function that a copy belongs to, or RT_NONE. */
uint32_t rt_copy_body(const struct rt_solver *s, size_t i_copy);
uint32_t rt_copy_func(const struct rt_solver *s, size_t i_copy);
/** Fill in the records of functions, bodies, copies and sites. */
void rt_records_read(struct rt_solver *s, struct rt_sizes *out);

/* blocks.c */

/** Look up one address of each node of the functions that have run. */
void rt_blocks_locate(struct rt_solver *s);
/** Be ready to hand out pairs of address and count. */
void rt_blocks_begin(struct rt_solver *s);

/* name_table.c */

/** Enter all functions and bodies into the hash tables. */
void rt_names_prepare(struct rt_solver *s);
/** The function that a call in a function names, or RT_NONE. */
uint32_t rt_names_resolve(struct rt_solver *s, const struct rt_func *caller,
                          uint32_t string);
/** The function whose body begins at vaddr, or RT_NONE. */
uint32_t rt_names_at(const struct rt_solver *s, uint64_t vaddr);

/* site_arcs.c */

/** Find sites' arcs. Returns 0 or -ENOMEM; rt_calls_release() afterwards, in
 * any case. */
int rt_calls_prepare(struct rt_solver *s);
void rt_calls_release(struct rt_solver *s);
/** Decode the calls of a function; the cursor is behind its edges. Returns
 * false if they are damaged. */
bool rt_calls_read(struct rt_solver *s, const struct rt_func *func,
                   struct arcline_cursor cursor);
/** Add arcs of the calls that a function has made, which was read last.
 *
 * i_copy  in this copy of it; RT_NONE: in all, where the copy does not matter.
 * counts  of its nodes. */
void rt_calls_visit(struct rt_solver *s, uint32_t i_func, uint32_t i_copy,
                    const uint64_t *counts);
/** Add arcs of calls that came from nowhere, once all others are there. */
void rt_calls_finish(struct rt_solver *s);

#endif
