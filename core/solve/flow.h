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
#include "solve/flow_decode.h"

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
  struct arcline_edge_place place = {n_nodes, 0};
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
    if (arcline_read_edge(&at, head, n_counters, &place, &edge))
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
 * cursor  as arcline_read_plan_head() left it; afterwards behind the edges.
 * edges   scratch for n_edges.
 * nodes   scratch for n_nodes + 1.
 * counts  n_edges counts, filled in; not the cells.
 *
 * Returns 0; or -1 if the plan is damaged or the cells do not determine all
 * counts.
 */
static inline int arcline_plan_solve(struct arcline_cursor *cursor,
                                     const struct arcline_plan_head *head,
                                     const uint64_t *cells, uint32_t n_cells,
                                     struct arcline_edge *edges,
                                     struct arcline_flow_node *nodes,
                                     uint64_t *counts) {
  const uint32_t n_nodes = head->n_nodes;
  const uint32_t n_edges = head->n_edges;
  struct arcline_cursor at = *cursor;
  struct arcline_edge_place place = {0, 0};
  uint32_t n_left = 0;

  for (uint32_t i = 0; !n_nodes && i < n_edges; i++)
    counts[i] = cells[i];
  if (!n_nodes)
    return 0;
  for (uint32_t i = 0; i <= n_nodes; i++)
    nodes[i] = (struct arcline_flow_node){0};
  for (uint32_t i = 0; i < n_edges; i++) {
    struct arcline_edge edge;
    if (arcline_read_plan_edge(&at, head, n_cells, &place, &edge))
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
  *cursor = at;
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

/** What a plan tells of a copy. */
struct arcline_copy_terms {
  const uint64_t *counts; /* of its n_edges edges */
  uint32_t n_edges;
  struct arcline_cursor terms; /* empty: counter k is edge k */
};

/**
 * Read what a plan tells of the next copy.
 *
 * cursor  behind the edges, or behind another copy; moved on.
 * edge    the first edge of the copy, of n_edges that the plan has; moved on.
 *
 * Returns 0, or -1 if it is cut short or has more edges than are left.
 */
static inline int arcline_read_copy(struct arcline_cursor *cursor,
                                    const uint64_t *counts, uint32_t n_edges,
                                    uint32_t *edge,
                                    struct arcline_copy_terms *out) {
  const uint32_t n = arcline_read_u32(cursor);
  const uint32_t n_bytes = arcline_read_length(cursor, 1);

  if (cursor->bad || n > n_edges - *edge)
    return -1;
  *out = (struct arcline_copy_terms){
      counts + *edge, n, {cursor->at, cursor->at + n_bytes, 0}};
  cursor->at += n_bytes;
  *edge += n;
  return 0;
}

/**
 * Add a copy's values of the counters of its graph.
 *
 * values  n_counters values, added to.
 *
 * Returns 0; or -1 if the terms are cut short, out of range, or of more or
 * fewer edges than the copy has.
 */
static inline int arcline_terms_add(const struct arcline_copy_terms *copy,
                                    uint64_t *values, uint32_t n_counters) {
  struct arcline_cursor at = copy->terms;
  const uint64_t *counts = copy->counts;
  uint32_t n_left = copy->n_edges;
  uint32_t counter = 0;

  if (at.at == at.end) {
    for (uint32_t i = 0; n_left == n_counters && i < n_counters; i++)
      values[i] += counts[i];
    return n_left == n_counters ? 0 : -1;
  }
  while (at.at != at.end) {
    uint64_t v;
    if (arcline_read_one(&at, &v))
      return -1;
    const uint32_t kind = (uint32_t)v & ((1u << ARCLINE_TERM_BITS) - 1);
    uint64_t n = (v >> ARCLINE_TERM_BITS) + 1; /* counters, or edges */
    uint64_t times = n - 1;
    if (kind == ARCLINE_TERM_TIMES && !times && arcline_read_one(&at, &times))
      return -1;
    n = kind == ARCLINE_TERM_TIMES ? 1 : n;
    const uint32_t max =
        kind == ARCLINE_TERM_NONE ? n_counters - counter : n_left;
    if (n > max || counter > n_counters ||
        (kind == ARCLINE_TERM_EACH && n > n_counters - counter) ||
        (kind != ARCLINE_TERM_NONE && counter == n_counters))
      return -1;
    switch ((enum arcline_term_kind)kind) {
    case ARCLINE_TERM_EACH:
      for (uint32_t i = 0; i < n; i++)
        values[counter + i] += counts[i];
      counter += (uint32_t)n;
      break;
    case ARCLINE_TERM_NONE:
      counter += (uint32_t)n;
      continue;
    case ARCLINE_TERM_SAME:
      for (uint32_t i = 0; i < n; i++)
        values[counter] += counts[i];
      break;
    case ARCLINE_TERM_TIMES:
      values[counter] += counts[0] * times;
      break;
    }
    counts += n;
    n_left -= (uint32_t)n;
  }
  return n_left ? -1 : 0;
}

#endif
