/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Declares the state that the files of the solver share while one profile is
 * solved. */
#ifndef ARCLINE_SOLVE_SOLVER_H
#define ARCLINE_SOLVE_SOLVER_H

#include "solve/flow.h"
#include "solve/name_table.h"
#include "solve/read_records.h"
#include "solve/site_arcs.h"
#include "solve/solve.h"

struct solve_memory {
  void *base; /* or NULL */
  size_t n_bytes;
};

/** Counts of the edges of a body's plan, and the copy at hand. */
struct solve_plan {
  const uint64_t *counts;
  uint32_t n_edges, next_edge; /* of the copies that come */
  bool lists_copies;           /* else each has an edge per counter */
  struct arcline_cursor copies;
  struct arcline_copy_terms copy;
};

struct solver {
  struct solve_input input;
  const struct solve_image *image;
  struct solve_damage damage;
  struct solve_memory records, copies_memory, arrays; /* of other members */
  uint64_t n_cells_left; /* that belong to no body so far */
  uint64_t n_data_left;  /* the same, bytes of data */
  uint64_t work_left;    /* bytes and edges that may still be decoded */
  bool is_fixing_sites;
  bool is_out_of_memory;
  size_t n_cells, n_funcs, n_bodies, n_sites, n_nodes;
  struct solve_head *heads; /* of all functions, and one after them */
  struct solve_func *funcs; /* n_open of them; room for all */
  size_t n_open;
  size_t n_aliases; /* of all functions */
  struct solve_body *bodies;
  struct solve_run *runs; /* n_runs of them */
  size_t n_runs, max_runs;
  struct solve_copy *copies; /* n_copies of them */
  size_t n_copies, max_copies;
  uint32_t *first_sites; /* of all copies: one more than the site, or 0 */
  struct solve_site *sites;
  uint64_t *values;      /* of functions with several copies, over all copies */
  uint64_t *counts;      /* of nodes of functions that have counts */
  uint32_t *node_at;     /* of these: an address minus text_low, plus 1; or 0 */
  uint32_t *pair_at;     /* the same: the first that no other node has */
  uint64_t *copy_values; /* of the copy at hand */
  uint64_t *copy_counts;
  struct solve_call *calls; /* of the function at hand */
  uint32_t n_calls;
  struct arcline_plan_edge *edges; /* of the plan at hand */
  uint64_t *edge_counts;
  struct arcline_flow_node *nodes;
  struct solve_names by_address; /* names of functions */
  struct solve_names by_text;    /* filled in when it is asked for first */
  bool has_texts;
  struct solve_name *resolved; /* callees, by address */
  uint32_t resolved_mask;      /* number of those minus 1 */
  uint32_t *by_vaddr;          /* hash table of bodies */
  uint32_t by_vaddr_mask;
  uint32_t next_func, next_node; /* whose block is listed next */
  uint64_t text_low, text_bytes;
  struct solve_arcs out;      /* the result */
  struct solve_arc *mcounted; /* from: functions whose calls are counted without
                                 the pass; sorted; NULL if there are none */
  size_t n_mcounted, n_mcounted_room;
};

/** How much room the solver's arrays need. */
struct solve_sizes {
  size_t n_counts, n_values;
  size_t max_graph_nodes, max_nodes; /* of a graph; of a graph or a plan */
  size_t max_counters, max_calls, max_plan_edges;
};

enum { SOLVE_MAX_RESOLVED = 1024 };

/* records.c */

/** Note that a record cannot be used. Returns false. */
bool solve_damaged(struct solver *s, enum solve_section_id section, size_t i,
                   enum solve_reason reason);
/** The function of that number, if it is open; else NULL. */
static inline struct solve_func *solve_opened(const struct solver *s,
                                              uint32_t i_func) {
  const uint32_t opened = s->heads[i_func].opened;

  return opened ? &s->funcs[opened - 1] : NULL;
}

/** Open the function of that number, unless it is open already. */
struct solve_func *solve_func_open(struct solver *s, uint32_t i_func);
/** The address of its own body, or 0. */
uint64_t solve_own_vaddr(const struct solver *s, uint32_t i_func);
/** Fill in the records of functions and bodies, max_runs and max_copies. */
void solve_bodies_read(struct solver *s);
/** Fill in runs, copies and sites, and measure the arrays. */
void solve_copies_read(struct solver *s, struct solve_sizes *out);

/* cells.c */

/** Add the values that the copy at hand has of its function's n counters.
 * Returns false if its data is damaged. */
bool solve_copy_add(struct solver *s, uint32_t i_copy,
                    const struct solve_plan *plan, uint64_t *values,
                    uint32_t n);
/** Call visit for each copy of functions that are fine, in bodies that have
 * run. If it returns false the function is bad. */
void solve_each_copy(struct solver *s,
                     bool (*visit)(struct solver *s, uint32_t i_copy,
                                   uint32_t i_func,
                                   const struct solve_plan *plan,
                                   void *context),
                     void *context);

#endif
