/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Counts how often control enters a set of nodes of one flow graph: the core of
 * line_counts.h. Keeps the adjacency lists and scratch memory of one function
 * at a time.
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_LINE_FLOW_H
#define ARCLINE_LINE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flow_data;
struct flow_func;
struct flow_node;

/** An edge between nodes with lines: nodes without a line are part of the one
 * that they follow. */
struct line_flow_edge {
  uint32_t from;
  uint32_t to;
  uint32_t kind; /* enum arcline_edge_kind */
  uint64_t count;
};

/** A way from a member of the present set to another one. */
struct line_flow_arc {
  uint32_t to;
  uint64_t left; /* count not yet used by loops */
};

/** Data of a node. */
struct line_flow_node {
  uint32_t chain;  /* first node of the row of calls that it is part of */
  uint32_t place;  /* in that row */
  uint32_t link;   /* edge from its predecessor there; place 0: none */
  uint32_t set;    /* number of the last set that it was a member of */
  size_t next_arc; /* search for loops: first arc that may be of use */
  size_t end_arc;
  size_t path;  /* place on the path + 1; 0: not on it */
  bool is_left; /* of a member: control leaves the line within it */
  bool is_done; /* no more loop goes through it */
};

/** A function's graph, prepared. All zero is empty; memory is reused. */
struct line_flow {
  const struct flow_node *counts;
  uint32_t n_nodes; /* without EXIT */
  uint32_t n_edges;
  struct line_flow_edge *edges;
  struct line_flow_node *nodes; /* n_nodes + 1 */
  uint32_t *first_in, *in;      /* edges by target */
  uint32_t *first_out, *out;    /* edges by source */
  struct line_flow_arc *arcs;
  size_t n_arcs;
  uint32_t *path;
  uint32_t *joints; /* of the present set: nodes without lines before members */
  size_t n_joints;
  size_t max_nodes, max_edges; /* allocated */
  uint32_t set;                /* number of the present set */
  uint64_t n_steps_left;
};

/**
 * Prepare a function's graph.
 *
 * Returns 0 or -1 (no memory).
 */
int line_flow_begin(struct line_flow *graph, const struct flow_data *flow,
                    const struct flow_func *func);

/**
 * Count how often control entered a set of nodes, loops within it included.
 *
 * members  sorted by chain and place; each once.
 * left     for each member: does control leave the line within it?
 *
 * Takes time in proportion to the edges at the members, except for loops; once
 * a function's limit of steps is used up, a set with too many loops gets an
 * estimate: the largest count of a member.
 */
uint64_t line_flow_count(struct line_flow *graph, const uint32_t *members,
                         const bool *left, size_t n_members);

/** Free. */
void line_flow_release(struct line_flow *graph);

#endif
