/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Decodes plans, as graph.h decodes graphs. */
#ifndef ARCLINE_SOLVE_PLAN_H
#define ARCLINE_SOLVE_PLAN_H

#include "solve/graph.h"

/** The head of an encoded plan. */
struct arcline_plan_head {
  uint32_t n_nodes; /* without EXIT; 0: no edge is listed */
  uint32_t n_edges;
};

/** Read the head of an encoded plan and leave the cursor at the first edge, or
 * after the edges if none is listed. Returns 0; or -1 if it is cut short or
 * claims more than its bytes and the body's n_cells cells allow. */
static inline int arcline_read_plan_head(struct arcline_cursor *cursor,
                                         uint32_t n_cells,
                                         struct arcline_plan_head *out) {
  out->n_nodes = arcline_read_u32(cursor);
  out->n_edges = arcline_read_u32(cursor);
  uint64_t left = (uint64_t)(cursor->end - cursor->at);
  if (cursor->bad || out->n_nodes > left ||
      out->n_edges > (out->n_nodes ? left : n_cells))
    return -1;
  return 0;
}

/** The node that an end of an edge of a plan means; *end is false if there is
 * no such node. */
ARCLINE_HOT uint32_t arcline_plan_end(uint64_t code,
                                      const struct arcline_plan_head *head,
                                      struct arcline_edge_place *place,
                                      int *is_bad) {
  if (code == 0)
    return head->n_nodes;
  if (code == 1) {
    *is_bad |= place->node == head->n_nodes;
    return place->node++;
  }
  *is_bad |= code - 1 > place->node;
  return place->node - (uint32_t)(code - 1);
}

/** Read the next edge of a plan that lists them; its counter is a cell. Returns
 * 0, or -1 if it is cut short or out of range. */
ARCLINE_HOT int arcline_read_plan_edge(struct arcline_cursor *cursor,
                                       const struct arcline_plan_head *head,
                                       uint32_t n_cells,
                                       struct arcline_edge_place *place,
                                       struct arcline_edge *out) {
  uint64_t from, to;
  int is_bad = 0;

  if (arcline_read_one(cursor, &from))
    return -1;
  *out = (struct arcline_edge){head->n_nodes, head->n_nodes, ARCLINE_NO_COUNTER,
                               0, 0};
  if (from >> 1) {
    if (arcline_read_one(cursor, &to))
      return -1;
    out->from = arcline_plan_end((from >> 1) - 1, head, place, &is_bad);
    if (is_bad)
      return -1;
    out->to = arcline_plan_end(to, head, place, &is_bad);
  }
  if (from & 1) {
    is_bad |= place->counter >= n_cells;
    out->counter = place->counter++;
  }
  return is_bad ? -1 : 0;
}

#endif
