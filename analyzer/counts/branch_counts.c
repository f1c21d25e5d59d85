/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/branch_counts.h"

#include "base/array.h"
#include "base/err.h"
#include "counts/choice_order.h"
#include "solve/flow.h"

#include <stdbool.h>
#include <stdlib.h>

/** A choice in a function. */
struct raw_choice {
  struct choice_place place;
  const struct flow_choice *choice;
};

/** By place, then function; the choices of a function at one place stay in
 * order. */
static int compare_raw(const void *left, const void *right,
                       const void *context) {
  const struct raw_choice *a = left, *b = right;

  (void)context;
  return choice_place_compare(&a->place, &b->place);
}

/** By place; the same choice of instances of one function compares equal. */
static int compare_instances(const void *left, const void *right,
                             const void *context) {
  const struct raw_choice *a = left, *b = right;
  const int order = choice_place_compare_instances(&a->place, &b->place);

  (void)context;
  return order ? order
               : choice_compare_numbers(a->choice->n_ways, b->choice->n_ways);
}

/** List the choices of all functions, those of one after the other. */
static struct raw_choice *list(const struct flow_data *flow, size_t *n) {
  struct raw_choice *raw =
      reallocarray(NULL, flow->n_choices + 1, sizeof(*raw));

  for (size_t i = 0; raw && i < flow->n_funcs; i++) {
    const struct flow_func *func = &flow->funcs[i];
    for (uint32_t k = 0; !func->is_delegate && k < func->n_choices; k++) {
      const struct flow_choice *const choice =
          &flow->choices[func->first_choice + k];
      raw[(*n)++] = (struct raw_choice){
          {.pos = choice->pos, .column = choice->column, .func = func}, choice};
    }
  }
  return raw;
}

/** Put the choices into the order in which instances lie side by side. Returns
 * 0 or -1 (no memory). */
static int sort(struct raw_choice *raw, size_t n) {
  if (flow_line_sort(raw, n, sizeof(*raw), compare_raw) != 0)
    return -1;
  for (size_t i = 1; i < n; i++)
    if (compare_raw(&raw[i - 1], &raw[i], NULL) == 0)
      raw[i].place.number = raw[i - 1].place.number + 1;
  return flow_line_sort(raw, n, sizeof(*raw), compare_instances);
}

/** Append a choice, with counts of 0. Returns 0 or -1 (no memory). */
static int append(struct branch_counts *out, const struct flow_choice *choice,
                  size_t *max_ways) {
  const struct branch_block *last =
      out->n_blocks > 0 ? &out->blocks[out->n_blocks - 1] : NULL;
  struct branch_block block = {.pos = choice->pos,
                               .column = choice->column,
                               .first_way = out->n_ways,
                               .n_ways = choice->n_ways};

  if (last && flow_line_compare(last->pos, block.pos) == 0)
    block.number = last->number + 1;
  for (uint32_t i = 0; i < choice->n_ways; i++) {
    uint64_t *ways =
        array_grow(out->ways, out->n_ways, max_ways, sizeof(*ways));
    if (!ways)
      return -1;
    out->ways = ways;
    out->ways[out->n_ways++] = 0;
  }
  out->blocks[out->n_blocks++] = block;
  return 0;
}

/** Add the counts of an instance. */
static void add(struct branch_counts *out, const struct flow_data *flow,
                const struct flow_choice *choice) {
  struct branch_block *block = &out->blocks[out->n_blocks - 1];
  const struct arcline_edge *edge = &flow->edges[choice->first_edge];

  for (uint32_t i = 0; i < choice->n_ways; edge++) {
    if (edge->kind != ARCLINE_EDGE_BRANCH)
      continue;
    out->ways[block->first_way + i++] += edge->count;
    block->count += edge->count;
  }
}

/** Join the choices of instances. Returns 0 or -1 (no memory). */
static int join(const struct flow_data *flow, const struct raw_choice *raw,
                size_t n, struct branch_counts *out) {
  size_t max_ways = 0;

  out->blocks = reallocarray(NULL, n + 1, sizeof(*out->blocks));
  if (!out->blocks)
    return -1;
  for (size_t i = 0; i < n; i++) {
    const bool is_new =
        i == 0 || compare_instances(&raw[i - 1], &raw[i], NULL) != 0;
    if (is_new && append(out, raw[i].choice, &max_ways) != 0)
      return -1;
    add(out, flow, raw[i].choice);
  }
  out->blocks = array_trim(out->blocks, out->n_blocks, sizeof(*out->blocks));
  out->ways = array_trim(out->ways, out->n_ways, sizeof(*out->ways));
  return 0;
}

int branch_counts_build(const struct flow_data *flow, struct branch_counts *out,
                        struct err *err) {
  size_t n = 0;
  struct raw_choice *raw = list(flow, &n);

  *out = (struct branch_counts){0};
  int rc = raw ? sort(raw, n) : -1;
  if (rc == 0)
    rc = join(flow, raw, n, out);
  free(raw);
  if (rc != 0) {
    branch_counts_release(out);
    return err_no_memory(err);
  }
  rc = decision_counts_build(flow, &out->decisions, err);
  if (rc != 0)
    branch_counts_release(out);
  return rc;
}

void branch_counts_release(struct branch_counts *counts) {
  free(counts->blocks);
  free(counts->ways);
  decision_counts_release(&counts->decisions);
  *counts = (struct branch_counts){0};
}
