/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * From cells to counters: the bodies and copies that the pass left in an image
 * as constant data (arcline/abi.h), and the values of the cells from profiles.
 * Part of flow_data.h, which others use.
 */
#ifndef ARCLINE_FLOW_CELLS_H
#define ARCLINE_FLOW_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arcline_edge;
struct arcline_flow_node;
struct const_data;
struct const_records;
struct flow_body;
struct flow_copy;
struct flow_func;

/** All cells of an image and what they stand for. All zero is empty. */
struct flow_cells {
  uint64_t *values;
  size_t n;
  uint64_t vaddr; /* of the first one */
  struct flow_body *bodies;
  size_t n_bodies;
  struct flow_copy *copies;
  size_t n_copies;
  struct arcline_edge *edges; /* scratch for the largest plan */
  struct arcline_flow_node *nodes;
  uint64_t *counts;
};

/**
 * Read bodies and copies.
 *
 * records, funcs  the image's functions, as many as there are records.
 * counters        values of all functions' counters, all 0; they stay 0.
 *
 * Returns 0; or -1 with *data->err set and *out to be released.
 * Errors: damaged data (out of bounds, overlapping, cells that do not determine
 *         the counts), no memory.
 */
int flow_cells_read(struct const_data *data,
                    const struct const_records *records,
                    const struct flow_func *funcs, uint64_t *counters,
                    struct flow_cells *out);

/** Add to the value of the cell at an address; false if there is none. */
bool flow_cells_count(struct flow_cells *cells, uint64_t vaddr, uint64_t value);

/** Add what all copies counted to the values of their functions' counters. */
void flow_cells_sum(const struct flow_cells *cells, uint64_t *counters);

void flow_cells_release(struct flow_cells *cells);

#endif
