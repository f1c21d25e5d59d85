/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/context_solver.h"

#include "base/err.h"
#include "contexts/context_index.h"
#include "counts/flow_read.h"
#include "recover/raw_profile.h"

#include <stdlib.h>
#include <string.h>

// --- Lines ---

static const struct flow_node *nodes_of(const struct context_solver *solver,
                                        size_t i_func) {
  return solver->flow.nodes + solver->flow.funcs[i_func].first_node;
}

/** Append the lines of a node. Returns their number. */
static size_t copy_lines(const struct flow_data *flow,
                         const struct flow_node *node, struct flow_line *out) {
  const struct flow_line *const lines = flow->lines;

  memcpy(out, lines + node->first_line, node->n_lines * sizeof(*out));
  memcpy(out + node->n_lines, lines + node->first_code_line,
         node->n_code_lines * sizeof(*out));
  return (size_t)node->n_lines + node->n_code_lines;
}

static int compare_lines(const void *left, const void *right) {
  return flow_line_compare(*(const struct flow_line *)left,
                           *(const struct flow_line *)right);
}

/** Sort lines and remove repeated ones. Returns how many are left. */
static size_t sort_lines(struct flow_line *lines, size_t n) {
  size_t n_left = 0;

  qsort(lines, n, sizeof(*lines), compare_lines);
  for (size_t i = 0; i < n; i++)
    if (n_left == 0 || flow_line_compare(lines[n_left - 1], lines[i]) != 0)
      lines[n_left++] = lines[i];
  return n_left;
}

static int list_lines(struct context_solver *solver, struct err *err) {
  const struct flow_data *const flow = &solver->flow;
  size_t n = 0, n_most = 0;

  for (size_t i = 0; i < flow->n_nodes; i++)
    n_most += (size_t)flow->nodes[i].n_lines + flow->nodes[i].n_code_lines;
  solver->lines = reallocarray(NULL, n_most + 1, sizeof(*solver->lines));
  solver->first_lines = calloc(flow->n_funcs + 1, sizeof(*solver->first_lines));
  solver->has_run = calloc(flow->n_funcs + 1, sizeof(*solver->has_run));
  if (!solver->lines || !solver->first_lines || !solver->has_run)
    return err_no_memory(err);
  if (n_most >= UINT32_MAX)
    return err_set(err, ERR_INPUT, "%s: too many lines", solver->image.path);
  for (size_t i = 0; i < flow->n_funcs; i++) {
    size_t n_of_func = 0;
    for (uint32_t k = 0; k < flow->funcs[i].n_nodes; k++)
      n_of_func += copy_lines(flow, &nodes_of(solver, i)[k],
                              solver->lines + n + n_of_func);
    solver->first_lines[i] = (uint32_t)n;
    n += sort_lines(solver->lines + n, n_of_func);
  }
  solver->first_lines[flow->n_funcs] = (uint32_t)n;
  return 0;
}

// --- The image ---

bool context_solver_is_of(const struct context_solver *solver,
                          const struct pool_file *pool) {
  const struct arcline_live_object *const record = &pool->start.object;

  return solver->image.elf && record->n_build_id > 0 &&
         record->n_build_id <= solver->image.n_build_id &&
         memcmp(record->build_id, solver->image.build_id, record->n_build_id) ==
             0;
}

static int open_image(struct context_solver *solver,
                      const struct pool_file *pool, struct err *err) {
  struct const_data data;

  if (image_open(solver->path, &solver->image, err) != 0)
    return -1;
  if (!context_solver_is_of(solver, pool))
    return err_set(err, ERR_INPUT, "%s: was built again", solver->path);
  return raw_profile_find_data(&pool->start.object, &solver->image, &data,
                               err) == 0 &&
                 flow_read_begin(&solver->flow, &solver->image, err) == 0 &&
                 flow_read_graphs(&solver->flow, &solver->image, err) == 0
             ? list_lines(solver, err)
             : -1;
}

int context_solver_open(const struct pool_file *pool, const char *path,
                        struct context_solver *out, struct err *err) {
  *out = (struct context_solver){.path = strdup(path)};
  if (!out->path)
    return err_no_memory(err);
  if (open_image(out, pool, err) == 0)
    return 0;
  context_solver_close(out);
  return -1;
}

void context_solver_close(struct context_solver *solver) {
  flow_data_release(&solver->flow);
  image_close(&solver->image);
  free(solver->lines);
  free(solver->first_lines);
  free(solver->has_run);
  free(solver->path);
  *solver = (struct context_solver){0};
}

// --- Counts ---

size_t context_solver_bytes(const struct context_solver *solver,
                            bool has_lines) {
  const struct context_object object = {
      .n_funcs = solver->flow.n_funcs,
      .n_lines = solver->first_lines[solver->flow.n_funcs],
      .has_lines = has_lines};

  return context_object_bytes(&object);
}

/** The counts of functions that do not run stay what they are. */
static void forget_counts(struct context_solver *solver) {
  for (size_t i = 0; i < solver->flow.n_funcs; i++) {
    const struct flow_func *const func = &solver->flow.funcs[i];
    struct flow_node *const nodes = solver->flow.nodes + func->first_node;
    for (uint32_t k = 0; solver->has_run[i] && k < func->n_nodes; k++)
      nodes[k].count = 0;
    solver->has_run[i] = false;
  }
}

static void set_lines(const struct context_solver *solver, size_t i_func,
                      const struct flow_node *node, size_t first_bit,
                      uint8_t *bits) {
  const uint32_t first = solver->first_lines[i_func];
  const size_t n = solver->first_lines[i_func + 1] - first;
  const struct flow_line *const lines = solver->lines + first;
  const struct flow_data *const flow = &solver->flow;

  for (uint32_t i = 0; i < node->n_lines; i++)
    context_set_bit(
        bits, first_bit + first +
                  flow_line_count_before(lines, n, sizeof(*lines),
                                         flow->lines[node->first_line + i]));
  for (uint32_t i = 0; i < node->n_code_lines; i++)
    context_set_bit(bits, first_bit + first +
                              flow_line_count_before(
                                  lines, n, sizeof(*lines),
                                  flow->lines[node->first_code_line + i]));
}

int context_solver_solve(struct context_solver *solver,
                         const struct pool_file *pool, bool has_lines,
                         uint8_t *bits, struct err *err) {
  struct flow_data *const flow = &solver->flow;
  struct flow_image *const image = &flow->images[0];
  const size_t first_bit = (flow->n_funcs + 7) / 8 * 8;

  forget_counts(solver);
  pool_file_copy(pool, ARCLINE_POOL_FIGURES, image->n_cells, image->cells);
  if (flow_data_solve(flow, err) != 0)
    return -1;
  for (size_t i = 0; i < flow->n_funcs; i++) {
    for (uint32_t k = 0; k < flow->funcs[i].n_nodes; k++) {
      const struct flow_node *const node = &nodes_of(solver, i)[k];
      if (node->count == 0)
        continue;
      context_set_bit(bits, i);
      solver->has_run[i] = true;
      if (has_lines)
        set_lines(solver, i, node, first_bit, bits);
    }
  }
  return 0;
}
