/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Solves plans and flow graphs: from cells to counts. Shared by runtime and
 * analyzer, freestanding and safe on hostile input, as numbers.h is; the caller
 * provides all memory.
 *
 *   cells of a body -> plan -> counts of the plan's edges
 *                   -> terms -> values of a graph's counters in one copy
 *                   -> graph -> counts of the graph's edges and nodes
 *
 * All of it is linear, so values of several copies may be added up before the
 * graph is solved. */
#ifndef ARCLINE_SOLVE_FLOW_H
#define ARCLINE_SOLVE_FLOW_H

#include "solve/plan.h"

/** Scratch of the solver for one node. */
struct arcline_flow_node {
  uint64_t balance;   /* known inflow - known outflow, modulo 2^64 */
  uint32_t n_unknown; /* incident edges without a count yet */
  uint32_t unknown;   /* XOR of their indices: with one left, its index */
};

/**
 * Compute the counts of all edges without a counter from those that have one.
 *
 * edges  counts of edges with a counter are set by the caller.
 * nodes  scratch for n_nodes + 1 nodes (EXIT included); overwritten.
 *
 * Returns 0; or -1 if the edges without a counter do not form a forest, in
 * which case their counts are unspecified. A count may come out negative (as
 * int64_t) if the counters were read while the function was running.
 */
int solve_flow_edges(struct arcline_edge *edges, uint32_t n_edges,
                     struct arcline_flow_node *nodes, uint32_t n_nodes);

/** Compute the counts of all nodes of a graph from the values of its counters:
 * as solve_flow_edges() does, but without a list of edges.
 *
 * cursor     at the first edge; afterwards after the last one.
 * nodes      scratch for n_nodes + 1.
 * counts     n_nodes + 1 counts, filled in; the last one is not used.
 * n_entries  sum of the edges of kind ARCLINE_EDGE_ENTRY.
 *
 * Returns 0; or -1 if the graph is damaged or the counters do not determine all
 * counts. A count may be negative as in solve_flow_edges(). */
int solve_flow_graph(struct arcline_cursor *cursor,
                     const struct arcline_graph_head *head,
                     const uint64_t *values, uint32_t n_counters,
                     struct arcline_flow_node *nodes, uint64_t *counts,
                     uint64_t *n_entries);

/** An edge of a plan: the nodes that it connects. */
struct arcline_plan_edge {
  uint32_t from, to;
};

/** Compute the counts of all edges of a body's plan from the body's cells.
 *
 * cursor  as arcline_read_plan_head() left it; afterwards after the edges.
 * edges   scratch for n_edges.
 * nodes   scratch for n_nodes + 1.
 * counts  n_edges counts, filled in; not the cells.
 *
 * Returns 0; or -1 if the plan is damaged or the cells do not determine all
 * counts. */
int solve_flow_plan(struct arcline_cursor *cursor,
                    const struct arcline_plan_head *head, const uint64_t *cells,
                    uint32_t n_cells, struct arcline_plan_edge *edges,
                    struct arcline_flow_node *nodes, uint64_t *counts);

/** A plan's terms of one copy. */
struct arcline_copy_terms {
  const uint64_t *counts; /* of its n_edges edges */
  uint32_t n_edges;
  struct arcline_cursor terms; /* empty: counter k is edge k */
};

/** Read the plan's terms of the next copy.
 *
 * cursor  after the edges, or after another copy; moved on.
 * edge    the first edge of the copy, of n_edges that the plan has; moved on.
 *
 * Returns 0, or -1 if it is cut short or has more edges than are left. */
int solve_flow_copy(struct arcline_cursor *cursor, const uint64_t *counts,
                    uint32_t n_edges, uint32_t *edge,
                    struct arcline_copy_terms *out);

/**
 * Add a copy's values of the counters of its graph.
 *
 * values  n_counters values, added to.
 *
 * Returns 0; or -1 if the terms are cut short, out of range, or of more or
 * fewer edges than the copy has.
 */
int solve_flow_terms(const struct arcline_copy_terms *copy, uint64_t *values,
                     uint32_t n_counters);

#endif
