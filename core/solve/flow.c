/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "solve/flow.h"

int solve_flow_edges(struct arcline_edge *edges, uint32_t n_edges,
                     struct arcline_flow_node *nodes, uint32_t n_nodes) {
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
  /* Removes leaves from the forest. A node with one edge left is followed at
     once, so that one pass over the nodes finds them all. */
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

/* A graph's counts, while its edges are read and solved. */
struct graph_counts {
  struct arcline_flow_node *nodes; /* unknown: of an edge without a counter as
                                      one of its ends has it: the other end << 2
                                      | comes in << 1 | is an entry */
  uint64_t *counts;
  uint64_t n_entries;
  uint32_t n_left; /* edges without a count yet */
};

/* Returns 0, or -1 if an edge without a counter leads to where it comes from.
 */
static inline int add_edge(struct graph_counts *graph,
                           const struct arcline_edge *edge,
                           const uint64_t *values) {
  struct arcline_flow_node *const nodes = graph->nodes;
  const uint32_t is_entry = edge->kind == ARCLINE_EDGE_ENTRY;

  if (edge->counter == ARCLINE_NO_COUNTER) {
    if (edge->from == edge->to)
      return -1;
    graph->n_left++;
    nodes[edge->from].n_unknown++;
    nodes[edge->from].unknown ^= edge->to << 2 | is_entry;
    nodes[edge->to].n_unknown++;
    nodes[edge->to].unknown ^= edge->from << 2 | 2 | is_entry;
    return 0;
  }
  const uint64_t count = values[edge->counter];
  nodes[edge->from].balance -= count;
  nodes[edge->to].balance += count;
  graph->counts[edge->to] += count;
  graph->n_entries += is_entry ? count : 0;
  return 0;
}

/* As in solve_flow_edges(). */
static inline void peel(struct graph_counts *graph, uint32_t n_nodes) {
  struct arcline_flow_node *const nodes = graph->nodes;

  for (uint32_t i = 0; i <= n_nodes; i++) {
    uint32_t leaf = i;
    while (nodes[leaf].n_unknown == 1) {
      const uint32_t unknown = nodes[leaf].unknown;
      const uint64_t balance = nodes[leaf].balance;
      const uint32_t other = unknown >> 2;
      const uint64_t count = unknown & 2 ? 0 - balance : balance;
      graph->counts[unknown & 2 ? leaf : other] += count;
      graph->n_entries += unknown & 1 ? count : 0;
      nodes[leaf].n_unknown = 0;
      nodes[other].balance += balance;
      nodes[other].n_unknown--;
      nodes[other].unknown ^= leaf << 2 | ((unknown & 3) ^ 2);
      graph->n_left--;
      leaf = other;
    }
  }
}

int solve_flow_graph(struct arcline_cursor *cursor,
                     const struct arcline_graph_head *head,
                     const uint64_t *values, uint32_t n_counters,
                     struct arcline_flow_node *nodes, uint64_t *counts,
                     uint64_t *n_entries) {
  const uint32_t max_nodes = UINT32_MAX >> 2;
  const uint32_t n_nodes = head->n_nodes;
  const uint32_t n_edges = head->n_edges;
  struct graph_counts graph = {.nodes = nodes, .counts = counts};
  struct arcline_cursor at = *cursor;
  struct arcline_edge_place place = {n_nodes, 0};

  if (n_nodes >= max_nodes)
    return -1;
  for (uint32_t i = 0; i <= n_nodes; i++) {
    nodes[i] = (struct arcline_flow_node){0};
    counts[i] = 0;
  }
  for (uint32_t i = 0; i < n_edges; i++) {
    struct arcline_edge edge;
    if (arcline_read_edge(&at, head, n_counters, &place, &edge) ||
        add_edge(&graph, &edge, values))
      return -1;
  }
  peel(&graph, n_nodes);
  *cursor = at;
  *n_entries = graph.n_entries;
  return graph.n_left ? -1 : 0;
}

int solve_flow_plan(struct arcline_cursor *cursor,
                    const struct arcline_plan_head *head, const uint64_t *cells,
                    uint32_t n_cells, struct arcline_plan_edge *edges,
                    struct arcline_flow_node *nodes, uint64_t *counts) {
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
    edges[i] = (struct arcline_plan_edge){edge.from, edge.to};
    n_left++;
    nodes[edge.from].n_unknown++;
    nodes[edge.from].unknown ^= i;
    nodes[edge.to].n_unknown++;
    nodes[edge.to].unknown ^= i;
  }
  *cursor = at;
  /* As in solve_flow_edges(). */
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

int solve_flow_copy(struct arcline_cursor *cursor, const uint64_t *counts,
                    uint32_t n_edges, uint32_t *edge,
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

int solve_flow_terms(const struct arcline_copy_terms *copy, uint64_t *values,
                     uint32_t n_counters) {
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
