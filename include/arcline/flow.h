/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * From cells to counts: solving of plans and flow graphs. Shared by runtime and
 * analyzer, freestanding and safe on hostile input, as flow_decode.h is; the
 * caller brings all memory.
 *
 *   cells of a body -> plan -> counts of the plan's edges
 *                   -> terms -> values of a graph's counters in one copy
 *                   -> graph -> counts of the graph's edges and nodes
 *
 * All of it is linear, so values of several copies may be added up before the
 * graph is solved.
 */
#ifndef ARCLINE_FLOW_H
#define ARCLINE_FLOW_H

#include <stdint.h>

#include "arcline/abi.h"
#include "arcline/flow_decode.h"

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
static inline int arcline_flow_solve(struct arcline_edge *edges,
                                     uint32_t n_edges,
                                     struct arcline_flow_node *nodes,
                                     uint32_t n_nodes) {
  uint32_t n_left = 0;

  for (uint32_t i = 0; i <= n_nodes; i++)
    nodes[i] = (struct arcline_flow_node){0};
  for (uint32_t i = 0; i < n_edges; i++) {
    struct arcline_edge *edge = &edges[i];
    if (edge->counter == ARCLINE_NO_COUNTER) {
      if (edge->from == edge->to)
        return -1;
      n_left++;
      nodes[edge->from].n_unknown++;
      nodes[edge->from].unknown ^= i;
      nodes[edge->to].n_unknown++;
      nodes[edge->to].unknown ^= i;
    } else {
      nodes[edge->from].balance -= edge->count;
      nodes[edge->to].balance += edge->count;
    }
  }
  /* Peel leaves off the forest. A node whose last but one edge goes is
     followed at once, so one pass over the nodes finds them all. */
  for (uint32_t i = 0; i <= n_nodes; i++) {
    uint32_t leaf = i;
    while (nodes[leaf].n_unknown == 1) {
      uint32_t index = nodes[leaf].unknown;
      struct arcline_edge *edge = &edges[index];
      uint64_t balance = nodes[leaf].balance;
      edge->count = edge->from == leaf ? balance : 0 - balance;
      nodes[edge->from].balance -= edge->count;
      nodes[edge->to].balance += edge->count;
      uint32_t other = edge->from == leaf ? edge->to : edge->from;
      nodes[leaf].n_unknown = 0;
      nodes[other].n_unknown--;
      nodes[other].unknown ^= index;
      n_left--;
      leaf = other;
    }
  }
  return n_left ? -1 : 0;
}

/**
 * Compute the counts of all nodes of a graph from the values of its counters:
 * as arcline_flow_solve() does, but without a list of edges.
 *
 * cursor     at the first edge; afterwards behind the last one.
 * nodes      scratch for n_nodes + 1.
 * counts     n_nodes + 1 counts, filled in; the last one is of no use.
 * n_entries  sum of the edges of kind ARCLINE_EDGE_ENTRY.
 *
 * Returns 0; or -1 if the graph is damaged or the counters do not determine all
 * counts. A count may come out negative as in arcline_flow_solve().
 */
static inline int arcline_graph_solve(struct arcline_cursor *cursor,
                                      const struct arcline_graph_head *head,
                                      const uint64_t *values,
                                      uint32_t n_counters,
                                      struct arcline_flow_node *nodes,
                                      uint64_t *counts, uint64_t *n_entries) {
  /* An edge without a counter as one of its ends knows it: the other end << 2 |
     comes in << 1 | is an entry. */
  const uint32_t max_nodes = UINT32_MAX >> 2;
  const uint32_t n_nodes = head->n_nodes;
  const uint32_t n_edges = head->n_edges;
  struct arcline_cursor at = *cursor;
  uint64_t sum_entries = 0;
  uint32_t n_left = 0;

  if (n_nodes >= max_nodes)
    return -1;
  for (uint32_t i = 0; i <= n_nodes; i++) {
    nodes[i] = (struct arcline_flow_node){0};
    counts[i] = 0;
  }
  for (uint32_t i = 0; i < n_edges; i++) {
    struct arcline_edge edge;
    if (arcline_read_edge(&at, head, n_counters, &edge))
      return -1;
    const uint32_t is_entry = edge.kind == ARCLINE_EDGE_ENTRY;
    if (edge.counter == ARCLINE_NO_COUNTER) {
      if (edge.from == edge.to)
        return -1;
      n_left++;
      nodes[edge.from].n_unknown++;
      nodes[edge.from].unknown ^= edge.to << 2 | is_entry;
      nodes[edge.to].n_unknown++;
      nodes[edge.to].unknown ^= edge.from << 2 | 2 | is_entry;
    } else {
      const uint64_t count = values[edge.counter];
      nodes[edge.from].balance -= count;
      nodes[edge.to].balance += count;
      counts[edge.to] += count;
      sum_entries += is_entry ? count : 0;
    }
  }
  for (uint32_t i = 0; i <= n_nodes; i++) {
    uint32_t leaf = i;
    while (nodes[leaf].n_unknown == 1) {
      const uint32_t unknown = nodes[leaf].unknown;
      const uint64_t balance = nodes[leaf].balance;
      const uint32_t other = unknown >> 2;
      const uint64_t count = unknown & 2 ? 0 - balance : balance;
      counts[unknown & 2 ? leaf : other] += count;
      sum_entries += unknown & 1 ? count : 0;
      nodes[leaf].n_unknown = 0;
      nodes[other].balance += balance;
      nodes[other].n_unknown--;
      nodes[other].unknown ^= leaf << 2 | ((unknown & 3) ^ 2);
      n_left--;
      leaf = other;
    }
  }
  *cursor = at;
  *n_entries = sum_entries;
  return n_left ? -1 : 0;
}

/**
 * Compute the counts of all edges of a body's plan from the body's cells.
 *
 * cursor  as arcline_read_plan_head() left it.
 * edges   scratch for n_edges.
 * nodes   scratch for n_nodes + 1.
 * counts  n_edges counts, filled in; not the cells.
 *
 * Returns 0; or -1 if the plan is damaged or the cells do not determine all
 * counts.
 */
static inline int arcline_plan_solve(struct arcline_cursor cursor,
                                     const struct arcline_graph_head *head,
                                     const uint64_t *cells, uint32_t n_cells,
                                     struct arcline_edge *edges,
                                     struct arcline_flow_node *nodes,
                                     uint64_t *counts) {
  const uint32_t n_nodes = head->n_nodes;
  const uint32_t n_edges = head->n_edges;
  uint32_t n_left = 0;

  for (uint32_t i = 0; i <= n_nodes; i++)
    nodes[i] = (struct arcline_flow_node){0};
  for (uint32_t i = 0; i < n_edges; i++) {
    struct arcline_edge edge;
    if (arcline_read_edge(&cursor, head, n_cells, &edge))
      return -1;
    if (edge.counter != ARCLINE_NO_COUNTER) {
      const uint64_t count = cells[edge.counter];
      nodes[edge.from].balance -= count;
      nodes[edge.to].balance += count;
      counts[i] = count;
      continue;
    }
    if (edge.from == edge.to)
      return -1;
    edges[i] = edge;
    n_left++;
    nodes[edge.from].n_unknown++;
    nodes[edge.from].unknown ^= i;
    nodes[edge.to].n_unknown++;
    nodes[edge.to].unknown ^= i;
  }
  /* As in arcline_flow_solve(). */
  for (uint32_t i = 0; i <= n_nodes; i++) {
    uint32_t leaf = i;
    while (nodes[leaf].n_unknown == 1) {
      const uint32_t index = nodes[leaf].unknown;
      const uint64_t balance = nodes[leaf].balance;
      const uint32_t from = edges[index].from;
      const uint32_t other = from == leaf ? edges[index].to : from;
      counts[index] = from == leaf ? balance : 0 - balance;
      nodes[leaf].n_unknown = 0;
      nodes[other].balance += balance;
      nodes[other].n_unknown--;
      nodes[other].unknown ^= index;
      n_left--;
      leaf = other;
    }
  }
  return n_left ? -1 : 0;
}

/**
 * Add a copy's values of the counters of its graph.
 *
 * terms       until the end; not for a copy without encoded terms, to which
 *             arcline_edges_add() applies.
 * counts      of the n_edges edges of the plan.
 * values      n_counters values, added to.
 *
 * Returns 0; or -1 if the terms are cut short or out of range.
 */
static inline int arcline_terms_add(struct arcline_cursor terms,
                                    const uint64_t *counts, uint32_t n_edges,
                                    uint64_t *values, uint32_t n_counters) {
  uint64_t counter = 0;

  while (terms.at != terms.end) {
    uint64_t numbers[3]; /* counter, edge, times */
    if (arcline_read_three(&terms, numbers) || numbers[0] > n_counters)
      return -1;
    counter += numbers[0];
    if (counter >= n_counters || numbers[1] >= n_edges)
      return -1;
    values[counter] += counts[numbers[1]] * numbers[2];
  }
  return 0;
}

/** The same for a copy whose counter k is edge first_edge + k. */
static inline int arcline_edges_add(uint32_t first_edge, const uint64_t *counts,
                                    uint32_t n_edges, uint64_t *values,
                                    uint32_t n_counters) {
  if (first_edge > n_edges || n_counters > n_edges - first_edge)
    return -1;
  for (uint32_t i = 0; i < n_counters; i++)
    values[i] += counts[first_edge + i];
  return 0;
}

#endif
