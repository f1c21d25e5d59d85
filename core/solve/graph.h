/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Decodes graphs of arcline/encoding.h; freestanding and safe as numbers.h
 * is. */
#ifndef ARCLINE_SOLVE_GRAPH_H
#define ARCLINE_SOLVE_GRAPH_H

#include "arcline/abi.h"
#include "solve/numbers.h"

#define ARCLINE_NO_COUNTER UINT32_MAX

/** The head of an encoded graph. */
struct arcline_graph_head {
  uint32_t name;    /* string offset of the linkage name */
  uint32_t n_nodes; /* without EXIT */
  uint32_t n_edges;
};

/** One edge; count is filled in from the counter or by solve_flow_edges(). */
struct arcline_edge {
  uint32_t from; /* node; n_nodes is EXIT */
  uint32_t to;
  uint32_t counter; /* of the graph, cell of the body, or ARCLINE_NO_COUNTER */
  uint32_t kind;    /* enum arcline_edge_kind */
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
  out->n_nodes = arcline_read_u32(cursor);
  out->n_edges = arcline_read_u32(cursor);
  uint64_t left = (uint64_t)(cursor->end - cursor->at);
  if (cursor->bad || out->n_nodes == 0 || out->n_nodes > left ||
      out->n_edges > left)
    return -1;
  return 0;
}

/** How far the edges of a graph or plan have been read; begins as
 * {n_nodes, 0} for a graph, and as {0} for a plan. */
struct arcline_edge_place {
  uint32_t node;    /* graph: the source of the last edge; plan: how many nodes
                       were mentioned */
  uint32_t counter; /* the next one, or cell */
};

/** Read the next edge of a graph. Returns 0, or -1 if it is cut short or out of
 * range. */
ARCLINE_HOT int arcline_read_edge(struct arcline_cursor *cursor,
                                  const struct arcline_graph_head *head,
                                  uint32_t n_counters,
                                  struct arcline_edge_place *place,
                                  struct arcline_edge *out) {
  const uint32_t exit = head->n_nodes;
  uint64_t tag;

  do {
    if (arcline_read_one(cursor, &tag))
      return -1;
    if (tag & ARCLINE_EDGE_IS_NEXT)
      place->node = place->node == exit ? 0 : place->node + 1;
    out->kind = (uint32_t)tag & ((1u << ARCLINE_EDGE_KIND_BITS) - 1);
  } while (out->kind == ARCLINE_EDGE_NONE);
  out->from = place->node;
  out->to = exit;
  if (tag >> ARCLINE_EDGE_TO_BITS) {
    const int64_t from = place->node == exit ? -1 : (int64_t)place->node;
    const uint64_t to =
        (uint64_t)(from + 1) +
        (uint64_t)arcline_unzigzag((tag >> ARCLINE_EDGE_TO_BITS) - 1);
    if (to >= exit)
      return -1;
    out->to = (uint32_t)to;
  }
  out->counter = ARCLINE_NO_COUNTER;
  out->count = 0;
  if (tag & ARCLINE_EDGE_HAS_COUNTER) {
    if (place->counter >= n_counters)
      return -1;
    out->counter = place->counter++;
  }
  return 0;
}

/** A call site. */
struct arcline_call {
  uint32_t node;
  uint32_t callee; /* string offset; 0 for an indirect call */
};

/** Read the next call site. Returns 0, or -1 if it is cut short or of no node.
 * The caller checks the callee's string. */
static inline int arcline_read_call(struct arcline_cursor *cursor,
                                    const struct arcline_graph_head *head,
                                    struct arcline_call *out) {
  out->node = arcline_read_u32(cursor);
  out->callee = arcline_read_u32(cursor);
  return cursor->bad || out->node >= head->n_nodes ? -1 : 0;
}

#define ARCLINE_CALL_BYTES 2 /* at least */

#endif
