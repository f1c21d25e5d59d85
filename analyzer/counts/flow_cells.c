/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/flow_cells.h"

#include "arcline/flow.h"
#include "base/err.h"
#include "counts/flow_data.h"
#include "image/const_data.h"

#include <stdlib.h>

// A cell lies within reach of the signed 32 bits that point to it.
#define MAX_CELLS_BYTES ((uint64_t)1 << 31)

// Compilers write cells to the file, as zeros. If they are not there, there may
// be no more of them than that: what they are counted with is allocated.
#define MAX_ABSENT_BYTES ((uint64_t)1 << 20)

#define NO_COPY SIZE_MAX

/** A body. Without an encoded plan, edge i is cell i. */
struct flow_body {
  size_t first_cell, first_copy; /* NO_COPY: has none */
  uint32_t n_cells;
  bool has_plan;
  struct arcline_cursor edges;    /* of the plan */
  struct arcline_graph_head head; /* of the plan */
};

/** A copy. Without encoded terms, its counters are edges first_edge, ... */
struct flow_copy {
  size_t next; /* of the same body, or NO_COPY */
  size_t first_counter;
  uint32_t n_counters, first_edge;
  bool has_terms;
  struct arcline_cursor terms;
};

/** What reading needs to know. */
struct reader {
  struct const_data *data;
  const struct const_records *func_records;
  const struct flow_func *funcs;
  struct const_records body_records, copy_records;
  struct flow_cells *cells;
  uint32_t *n_free; // of each body: edges that no copy without terms has
};

/** Read the cells' place and number. */
static int read_cells(struct reader *reader) {
  const struct image_section *section = &reader->data->cells;
  struct flow_cells *cells = reader->cells;

  if (section->size_bytes > MAX_CELLS_BYTES)
    return err_set(reader->data->err, ERR_INPUT,
                   "%s: section " ARCLINE_SECTION_CELLS
                   " is larger than any compiler makes it",
                   reader->data->image->path);
  if (!section->bytes && section->size_bytes > MAX_ABSENT_BYTES)
    return err_set(reader->data->err, ERR_INPUT,
                   "%s: section " ARCLINE_SECTION_CELLS
                   " is damaged: it claims %ju bytes that are not in the file; "
                   "give the image that was run",
                   reader->data->image->path, (uintmax_t)section->size_bytes);
  cells->vaddr = section->vaddr;
  cells->n = (size_t)(section->size_bytes / sizeof(uint64_t));
  cells->values = calloc(cells->n + 1, sizeof(*cells->values));
  return cells->values ? 0 : err_no_memory(reader->data->err);
}

/** Read the plan of a body. */
static int read_plan(struct reader *reader, const struct const_record *record,
                     struct flow_body *body) {
  const uint32_t n_bytes = const_data_u32(
      reader->data, record, offsetof(struct arcline_body, plan_bytes));

  if (n_bytes == 0) {
    body->head.n_edges = body->n_cells;
    return 0;
  }
  const uint8_t *plan =
      const_data_take(reader->data, record, offsetof(struct arcline_body, plan),
                      n_bytes, "its plan");
  if (!plan)
    return -1;
  body->has_plan = true;
  body->edges = (struct arcline_cursor){plan, plan + n_bytes, 0};
  if (arcline_read_plan_head(&body->edges, &body->head) != 0)
    return const_data_damaged(reader->data, record,
                              "the head of its plan is wrong");
  return 0;
}

/** Read body number i. *n_left: cells that belong to none of those before. */
static int read_body(struct reader *reader, size_t i, size_t *n_left) {
  const struct const_record record = {&reader->body_records, i};
  struct flow_cells *cells = reader->cells;
  struct flow_body *body = &cells->bodies[i];
  const size_t func_off = offsetof(struct arcline_body, func);
  size_t i_func;

  // 0 stands for the body of a function that has no record.
  if (const_data_u32(reader->data, &record, func_off) != 0 &&
      const_data_find_record(reader->func_records,
                             const_data_target(reader->data, &record, func_off),
                             &i_func) != 0)
    return const_data_damaged(reader->data, &record,
                              "it belongs to no function");
  const uint64_t off = const_data_target(reader->data, &record,
                                         offsetof(struct arcline_body, cells)) -
                       cells->vaddr;
  *body = (struct flow_body){
      .first_cell = (size_t)(off / sizeof(uint64_t)),
      .first_copy = NO_COPY,
      .n_cells = const_data_u32(reader->data, &record,
                                offsetof(struct arcline_body, n_cells))};
  if (body->n_cells == 0)
    body->first_cell = 0;
  else if (off % sizeof(uint64_t) != 0 || body->first_cell >= cells->n ||
           body->n_cells > cells->n - body->first_cell)
    return const_data_damaged(reader->data, &record,
                              "its cells lie outside of the section");
  // This bounds how many counters all copies have together.
  if (body->n_cells > *n_left)
    return const_data_damaged(reader->data, &record,
                              "its cells overlap those of another one");
  *n_left -= body->n_cells;
  if (read_plan(reader, &record, body) != 0)
    return -1;
  reader->n_free[i] = body->head.n_edges;
  return 0;
}

/** Read the terms of a copy in a body. */
static int read_terms(struct reader *reader, const struct const_record *record,
                      size_t i_body, struct flow_copy *copy) {
  const struct flow_body *body = &reader->cells->bodies[i_body];
  const uint32_t n_bytes = const_data_u32(
      reader->data, record, offsetof(struct arcline_copy, terms_bytes));

  if (n_bytes == 0) {
    copy->first_edge = const_data_u32(
        reader->data, record, offsetof(struct arcline_copy, first_edge));
    if (copy->first_edge > body->head.n_edges ||
        copy->n_counters > body->head.n_edges - copy->first_edge)
      return const_data_damaged(reader->data, record,
                                "its edges lie outside of the plan");
    if (copy->n_counters > reader->n_free[i_body])
      return const_data_damaged(reader->data, record,
                                "its edges overlap those of another one");
    reader->n_free[i_body] -= copy->n_counters;
    return 0;
  }
  const uint8_t *terms = const_data_take(reader->data, record,
                                         offsetof(struct arcline_copy, terms),
                                         n_bytes, "its list of terms");
  if (!terms)
    return -1;
  copy->has_terms = true;
  copy->terms = (struct arcline_cursor){terms, terms + n_bytes, 0};
  return 0;
}

/** Read copy number i and enter it into the list of its body. */
static int read_copy(struct reader *reader, size_t i) {
  const struct const_record record = {&reader->copy_records, i};
  struct flow_copy *copy = &reader->cells->copies[i];
  size_t i_body, i_func;

  if (const_data_find_record(
          &reader->body_records,
          const_data_target(reader->data, &record,
                            offsetof(struct arcline_copy, body)),
          &i_body) != 0)
    return const_data_damaged(reader->data, &record, "it lies in no body");
  if (const_data_find_record(
          reader->func_records,
          const_data_target(reader->data, &record,
                            offsetof(struct arcline_copy, func)),
          &i_func) != 0)
    return const_data_damaged(reader->data, &record,
                              "it belongs to no function");
  struct flow_body *body = &reader->cells->bodies[i_body];
  *copy =
      (struct flow_copy){.next = body->first_copy,
                         .first_counter = reader->funcs[i_func].first_counter,
                         .n_counters = reader->funcs[i_func].n_counters};
  body->first_copy = i;
  return read_terms(reader, &record, i_body, copy);
}

/** Allocate what flow_cells_sum() needs. */
static int make_scratch(struct reader *reader) {
  struct flow_cells *cells = reader->cells;
  size_t max_nodes = 0, max_edges = 0;

  for (size_t i = 0; i < cells->n_bodies; i++) {
    const struct flow_body *body = &cells->bodies[i];
    if (body->has_plan && body->head.n_nodes > max_nodes)
      max_nodes = body->head.n_nodes;
    if (body->has_plan && body->head.n_edges > max_edges)
      max_edges = body->head.n_edges;
  }
  cells->edges = reallocarray(NULL, max_edges + 1, sizeof(*cells->edges));
  cells->counts = reallocarray(NULL, max_edges + 1, sizeof(*cells->counts));
  cells->nodes = reallocarray(NULL, max_nodes + 1, sizeof(*cells->nodes));
  if (!cells->edges || !cells->counts || !cells->nodes)
    return err_no_memory(reader->data->err);
  return 0;
}

/**
 * Compute the counts of the edges of a body's plan.
 *
 * Returns them, to be used before the next call; or NULL if that is impossible.
 */
static const uint64_t *solve_body(const struct flow_cells *cells,
                                  const struct flow_body *body) {
  const uint64_t *values = cells->values + body->first_cell;

  if (!body->has_plan)
    return values;
  if (arcline_plan_solve(body->edges, &body->head, values, body->n_cells,
                         cells->edges, cells->nodes, cells->counts) != 0)
    return NULL;
  return cells->counts;
}

/** Add the values of a copy's counters. Returns 0, or -1 if its terms are
 * damaged. */
static int add_copy(const struct flow_body *body, const struct flow_copy *copy,
                    const uint64_t *counts, uint64_t *counters) {
  uint64_t *values = counters + copy->first_counter;

  return copy->has_terms
             ? arcline_terms_add(copy->terms, counts, body->head.n_edges,
                                 values, copy->n_counters)
             : arcline_edges_add(copy->first_edge, counts, body->head.n_edges,
                                 values, copy->n_counters);
}

/** Check that all can be computed, which does not depend on the values: they
 * are 0, and so counters, in which the sums go, stay 0. */
static int check(const struct reader *reader, uint64_t *counters) {
  const struct flow_cells *cells = reader->cells;

  for (size_t i = 0; i < cells->n_bodies; i++) {
    const struct flow_body *body = &cells->bodies[i];
    const uint64_t *counts = solve_body(cells, body);
    if (!counts)
      return const_data_damaged(
          reader->data, &(struct const_record){&reader->body_records, i},
          "its plan is cut short, out of range or has too few cells");
    for (size_t k = body->first_copy; k != NO_COPY; k = cells->copies[k].next)
      if (add_copy(body, &cells->copies[k], counts, counters) != 0)
        return const_data_damaged(
            reader->data, &(struct const_record){&reader->copy_records, k},
            "its terms are cut short or out of range");
  }
  return 0;
}

static int read_all(struct reader *reader, uint64_t *counters) {
  struct const_data *data = reader->data;
  struct flow_cells *cells = reader->cells;

  if (const_data_records(data, &data->bodies, ARCLINE_SECTION_BODIES,
                         sizeof(struct arcline_body), "body",
                         &reader->body_records) != 0 ||
      const_data_records(data, &data->copies, ARCLINE_SECTION_COPIES,
                         sizeof(struct arcline_copy), "copy",
                         &reader->copy_records) != 0 ||
      read_cells(reader) != 0)
    return -1;
  cells->n_bodies = reader->body_records.n;
  cells->n_copies = reader->copy_records.n;
  cells->bodies = calloc(cells->n_bodies + 1, sizeof(*cells->bodies));
  cells->copies = calloc(cells->n_copies + 1, sizeof(*cells->copies));
  reader->n_free = calloc(cells->n_bodies + 1, sizeof(*reader->n_free));
  if (!cells->bodies || !cells->copies || !reader->n_free)
    return err_no_memory(data->err);
  size_t n_left = cells->n;
  for (size_t i = 0; i < cells->n_bodies; i++)
    if (read_body(reader, i, &n_left) != 0)
      return -1;
  for (size_t i = 0; i < cells->n_copies; i++)
    if (read_copy(reader, i) != 0)
      return -1;
  return make_scratch(reader) != 0 ? -1 : check(reader, counters);
}

int flow_cells_read(struct const_data *data,
                    const struct const_records *records,
                    const struct flow_func *funcs, uint64_t *counters,
                    struct flow_cells *out) {
  struct reader reader = {
      .data = data, .func_records = records, .funcs = funcs, .cells = out};

  *out = (struct flow_cells){0};
  const int rc = read_all(&reader, counters);
  free(reader.n_free);
  return rc;
}

bool flow_cells_count(struct flow_cells *cells, uint64_t vaddr,
                      uint64_t value) {
  const uint64_t off = vaddr - cells->vaddr;

  if (off % sizeof(uint64_t) != 0 || off / sizeof(uint64_t) >= cells->n)
    return false;
  cells->values[off / sizeof(uint64_t)] += value;
  return true;
}

void flow_cells_sum(const struct flow_cells *cells, uint64_t *counters) {
  for (size_t i = 0; i < cells->n_bodies; i++) {
    const struct flow_body *body = &cells->bodies[i];
    const uint64_t *counts = solve_body(cells, body);
    for (size_t k = body->first_copy; k != NO_COPY; k = cells->copies[k].next)
      add_copy(body, &cells->copies[k], counts, counters);
  }
}

void flow_cells_release(struct flow_cells *cells) {
  free(cells->values);
  free(cells->bodies);
  free(cells->copies);
  free(cells->edges);
  free(cells->nodes);
  free(cells->counts);
  *cells = (struct flow_cells){0};
}
