/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Computes the exact counts of images: the flow graphs that the pass left in
 * them as constant data (arcline/abi.h), joined with the values of cells from
 * profiles. Every node, edge and call site has a count, even if it no longer
 * exists as code. Does not interpret source lines (line_counts.h).
 */
#ifndef ARCLINE_FLOW_DATA_H
#define ARCLINE_FLOW_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counts/flow_decision.h"
#include "counts/flow_line.h"
#include "counts/source_digests.h"
#include "debug/file_table.h"
#include "image/const_data.h"

struct arcline_edge;
struct err;
struct measure;
struct source_paths;

/** A node of a flow graph. Kept small: no other structs are as many. */
struct flow_node {
  uint64_t count;      /* times entered */
  uint32_t first_line; /* index into flow_data.lines */
  uint32_t n_lines;    /* that it counts for, in order; may repeat */
  uint32_t first_code_line;
  uint32_t n_code_lines; /* of its instructions, as LLVM has them */
  bool is_continued;     /* of the same block as the node before */
};

/** A call site. */
struct flow_call {
  uint32_t node;  /* of its function */
  uint64_t count; /* times the call was made */
  struct flow_line pos;
  const char *callee; /* linkage name; "" for an indirect call */
};

/** A condition or switch of the source. */
struct flow_choice {
  struct flow_line pos; /* its first line */
  uint32_t column;      /* 0: unknown */
  uint32_t n_ways;      /* at least 2 */
  size_t first_edge;    /* index into flow_data.edges of the first way; the
                           others are the next ones of kind branch */
};

/** A source function. Its parts are stretches of the arrays of flow_data. */
struct flow_func {
  const char *name;     /* linkage name */
  uint64_t id;          /* same source, same id */
  uint64_t n_entries;   /* times called */
  struct flow_line pos; /* definition */
  size_t first_node, first_edge, first_call, first_counter, first_alias;
  size_t first_choice, first_decision;
  uint32_t n_nodes; /* without EXIT; in edges, node n_nodes is EXIT */
  uint32_t n_edges, n_calls, n_counters, n_aliases, n_choices;
  uint32_t n_decisions;
  bool is_made;     /* by the compiler: the source has no such function */
  bool is_delegate; /* a variant of a constructor or destructor that calls
                       another one, which has the lines and branches */
};

/** All flow graphs of a program's images. All zero is empty. */
struct flow_data {
  struct flow_func *funcs; /* in the order of the images, and theirs */
  size_t n_funcs, max_funcs;
  struct flow_node *nodes;
  size_t n_nodes, max_nodes;
  struct arcline_edge *edges;
  size_t n_edges, max_edges;
  struct flow_line *lines;
  size_t n_lines, max_lines;
  struct flow_call *calls;
  size_t n_calls, max_calls;
  struct flow_choice *choices;
  size_t n_choices, max_choices;
  struct flow_decision *decisions; /* of functions built for MC/DC */
  size_t n_decisions, max_decisions;
  struct flow_condition *conditions;
  size_t n_conditions, max_conditions;
  const char **aliases; /* further linkage names of functions */
  size_t n_aliases, max_aliases;
  struct file_table files;
  struct source_digests digests;      /* of files, where they are known */
  const struct source_paths *sources; /* whose maps name them; or NULL */
  uint64_t *counters; /* private: sums of all copies, while that is solved */
  size_t n_counters;
  struct flow_image *images;
  size_t n_images;
};

/** An image's part. */
struct flow_image {
  size_t first_func, n_funcs;
  bool has_blocks; /* something was counted in it, perhaps 0 times; set by
                      flow_data_take(), as the next */
  bool is_exact;   /* it has graphs, and all that they need was counted */
  bool has_counts; /* does any cell have a value? */
  struct const_data data;
  uint64_t *cells; /* private from here */
  size_t n_cells;
  struct solver *solver; /* once the counts are computed, if it has functions */
};

/** Add to the value of the cell at an address of image number i_image. Returns
 * false if there is no cell. */
bool flow_data_count(struct flow_data *flow, size_t i_image, uint64_t vaddr,
                     uint64_t value);

/** Add an image's counts. They are not exact without graphs, or if a tool has
 * dropped cells from the profile. */
void flow_data_take(struct flow_data *flow, size_t i_image,
                    const struct measure *measure);

/**
 * Compute all counts from the cells. Once. A count that is negative, as it may
 * be in a profile written while the program ran, becomes 0.
 *
 * Returns 0, or -1 with *err set.
 * Errors: damaged data of functions that have run: out of bounds, overlapping,
 *         cells or counters that do not determine the counts; no memory.
 */
int flow_data_solve(struct flow_data *flow, struct err *err);

/** Free nodes and their lines, which are most of the memory. */
void flow_data_drop_nodes(struct flow_data *flow);

/** Free all but functions, with their names, places and entries, and files. */
void flow_data_drop_graphs(struct flow_data *flow);

/** Free; an empty one may be released too. */
void flow_data_release(struct flow_data *flow);

#endif
