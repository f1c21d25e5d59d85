/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Decoding and solving of the flow graphs that abi.h describes. The runtime
 * does it when it dumps, the analyzer when it reads; one text for both, so that
 * they cannot disagree. Freestanding: no libc, no allocation, no recursion; the
 * caller brings all memory. Safe on hostile input: every read is checked, and
 * every function ends after a number of steps linear in its input.
 */
#ifndef ARCLINE_FLOW_H
#define ARCLINE_FLOW_H

#include <stdint.h>

#include "arcline/abi.h"

/** Reading position in an encoded graph. Once bad, it stays bad and reads 0. */
struct arcline_cursor {
  const uint8_t *at;
  const uint8_t *end;
  int bad;
};

/** Read one ULEB128 number; 0 and cursor->bad if there is none within bounds.
 */
static inline uint64_t arcline_read_uleb(struct arcline_cursor *cursor) {
  uint64_t value = 0;

  if (cursor->at != cursor->end && *cursor->at < 0x80)
    return *cursor->at++; // nearly all numbers are small
  for (unsigned shift = 0; !cursor->bad; shift += 7) {
    if (cursor->at == cursor->end || shift > 63) {
      cursor->bad = 1;
      break;
    }
    uint8_t byte = *cursor->at++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
  return 0;
}

/** Read a number that must fit into 32 bits; else the cursor goes bad. */
static inline uint32_t arcline_read_u32(struct arcline_cursor *cursor) {
  uint64_t value = arcline_read_uleb(cursor);

  if (value > UINT32_MAX) {
    cursor->bad = 1;
    return 0;
  }
  return (uint32_t)value;
}

/** Undo the zigzag encoding of a signed number. */
static inline int64_t arcline_unzigzag(uint64_t value) {
  return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

#define ARCLINE_NO_COUNTER UINT32_MAX

/** What stands before the edges of an encoded graph. */
struct arcline_graph_head {
  uint32_t name;     /* string offset of the linkage name */
  uint32_t file;     /* string offset of the defining file */
  uint32_t line;     /* of the definition; 0 if unknown */
  uint32_t comp_dir; /* string offset of the compilation directory */
  uint32_t n_nodes;  /* without EXIT */
  uint32_t n_edges;
};

/** One edge; count is filled in from the counter or by arcline_flow_solve(). */
struct arcline_edge {
  uint32_t from; /* node; n_nodes is EXIT */
  uint32_t to;
  uint32_t
      counter;   /* index into the function's counters, or ARCLINE_NO_COUNTER */
  uint32_t kind; /* enum arcline_edge_kind */
  uint64_t count;
};

/**
 * Read the head of an encoded graph and leave the cursor at the first edge.
 *
 * Returns 0; or -1 if the data is cut short or claims more nodes or edges than
 * its bytes could hold, so that n_nodes and n_edges are safe sizes to allocate.
 */
static inline int arcline_read_graph_head(struct arcline_cursor *cursor,
                                          struct arcline_graph_head *out) {
  out->name = arcline_read_u32(cursor);
  out->file = arcline_read_u32(cursor);
  out->line = arcline_read_u32(cursor);
  out->comp_dir = arcline_read_u32(cursor);
  out->n_nodes = arcline_read_u32(cursor);
  out->n_edges = arcline_read_u32(cursor);
  uint64_t left = (uint64_t)(cursor->end - cursor->at);
  if (cursor->bad || out->n_nodes == 0 || out->n_nodes > left ||
      out->n_edges > left)
    return -1;
  return 0;
}

/** Read the next edge. Returns 0, or -1 if it is cut short or out of range. */
static inline int arcline_read_edge(struct arcline_cursor *cursor,
                                    const struct arcline_graph_head *head,
                                    uint32_t n_counters,
                                    struct arcline_edge *out) {
  out->from = arcline_read_u32(cursor);
  out->to = arcline_read_u32(cursor);
  uint64_t tag = arcline_read_uleb(cursor);
  out->kind = (uint32_t)(tag & ((1u << ARCLINE_EDGE_KIND_BITS) - 1));
  uint64_t counter_plus_1 = tag >> ARCLINE_EDGE_KIND_BITS;
  out->counter =
      counter_plus_1 ? (uint32_t)(counter_plus_1 - 1) : ARCLINE_NO_COUNTER;
  out->count = 0;
  if (cursor->bad || out->from > head->n_nodes || out->to > head->n_nodes ||
      counter_plus_1 > n_counters)
    return -1;
  return 0;
}

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

#endif
