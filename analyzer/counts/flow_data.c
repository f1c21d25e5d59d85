/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/flow_data.h"

#include "base/err.h"
#include "image/const_data.h"
#include "measure/measure.h"
#include "solve/flow.h"

#include <stdlib.h>

/** One function's counts from its counters. Returns 0, or -1 as the solver. */
static int solve_func(struct flow_data *flow, struct flow_func *func,
                      struct arcline_flow_node *scratch) {
  const uint64_t *counters = flow->counters + func->first_counter;
  struct arcline_edge *edges = flow->edges + func->first_edge;
  struct flow_node *nodes = flow->nodes + func->first_node;

  for (uint32_t i = 0; i < func->n_edges; i++)
    edges[i].count =
        edges[i].counter == ARCLINE_NO_COUNTER ? 0 : counters[edges[i].counter];
  if (solve_flow_edges(edges, func->n_edges, scratch, func->n_nodes) != 0)
    return -1;
  func->n_entries = 0;
  for (uint32_t i = 0; i < func->n_nodes; i++)
    nodes[i].count = 0;
  for (uint32_t i = 0; i < func->n_edges; i++) {
    if ((int64_t)edges[i].count < 0)
      edges[i].count = 0;
    if (edges[i].to < func->n_nodes)
      nodes[edges[i].to].count += edges[i].count;
    if (edges[i].kind == ARCLINE_EDGE_ENTRY)
      func->n_entries += edges[i].count;
  }
  for (uint32_t i = 0; i < func->n_calls; i++) {
    struct flow_call *call = &flow->calls[func->first_call + i];
    call->count = nodes[call->node].count;
  }
  flow_decisions_solve(flow, func, counters);
  return 0;
}

static bool has_run(const struct flow_data *flow,
                    const struct flow_func *func) {
  for (uint32_t i = 0; i < func->n_counters; i++)
    if (flow->counters[func->first_counter + i] != 0)
      return true;
  return false;
}

bool flow_data_count(struct flow_data *flow, size_t i_image, uint64_t vaddr,
                     uint64_t value) {
  struct flow_image *image = &flow->images[i_image];
  const uint64_t off = vaddr - image->data.image.sections[SOLVE_CELLS].vaddr;

  if (off % sizeof(uint64_t) != 0 || off / sizeof(uint64_t) >= image->n_cells)
    return false;
  image->cells[off / sizeof(uint64_t)] += value;
  image->has_counts = true;
  return true;
}

void flow_data_take(struct flow_data *flow, size_t i_image,
                    const struct measure *measure) {
  struct flow_image *image = &flow->images[i_image];
  bool has_block = false;

  for (size_t i = 0; i < measure->n_blocks; i++)
    if (!flow_data_count(flow, i_image, measure->blocks[i].vaddr,
                         measure->blocks[i].count))
      has_block |= measure->blocks[i].count > 0;
  image->has_blocks = measure->n_blocks > 0;
  // Counters are written unless they are 0. So if there are none, either
  // nothing was run, or the profile went through a tool that dropped them.
  image->is_exact = solve_n_func_records(&image->data.image) > 0 &&
                    image->has_blocks && (image->has_counts || !has_block);
}

/** Add an image's cells to the counters of its functions. */
static int add_counters(struct flow_data *flow, struct flow_image *part,
                        struct err *err) {
  const struct solve_input input = {.image = &part->data.image,
                                    .cells = part->cells,
                                    .alloc = const_data_alloc,
                                    .free = const_data_free};
  size_t *first_counters =
      reallocarray(NULL, part->n_funcs + 1, sizeof(*first_counters));

  solve_close(part->solver);
  part->solver = solve_open(&input);
  if (!part->solver || !first_counters) {
    free(first_counters);
    return err_no_memory(err);
  }
  for (size_t i = 0; i < part->n_funcs; i++)
    first_counters[i] = flow->funcs[part->first_func + i].first_counter;
  solve_counters(part->solver, flow->counters, first_counters);
  free(first_counters);
  return const_data_check(&part->data, solve_damage(part->solver), err);
}

static int solve_funcs(struct flow_data *flow, const struct flow_image *part,
                       struct arcline_flow_node *scratch, struct err *err) {
  for (size_t i = 0; i < part->n_funcs; i++) {
    struct flow_func *func = &flow->funcs[part->first_func + i];
    const struct solve_damage damage = {SOLVE_FUNCS, i, SOLVE_GRAPH};
    if (has_run(flow, func) && solve_func(flow, func, scratch) != 0)
      return const_data_check(&part->data, damage, err);
  }
  return 0;
}

int flow_data_solve(struct flow_data *flow, struct err *err) {
  uint32_t max_nodes = 0;
  int rc = 0;

  for (size_t i = 0; i < flow->n_funcs; i++)
    if (flow->funcs[i].n_nodes > max_nodes)
      max_nodes = flow->funcs[i].n_nodes;
  struct arcline_flow_node *scratch =
      reallocarray(NULL, (size_t)max_nodes + 1, sizeof(*scratch));
  flow->counters = calloc(flow->n_counters + 1, sizeof(*flow->counters));
  if (!flow->counters || !scratch)
    rc = err_no_memory(err);
  for (size_t i = 0; rc == 0 && i < flow->n_images; i++)
    if (flow->images[i].n_funcs > 0) {
      rc = add_counters(flow, &flow->images[i], err);
      if (rc == 0)
        rc = solve_funcs(flow, &flow->images[i], scratch, err);
    }
  free(scratch);
  free(flow->counters);
  flow->counters = NULL;
  return rc;
}

void flow_data_drop_nodes(struct flow_data *flow) {
  free(flow->nodes);
  free(flow->lines);
  flow->nodes = NULL;
  flow->lines = NULL;
  flow->n_nodes = flow->max_nodes = 0;
  flow->n_lines = flow->max_lines = 0;
}

void flow_data_drop_graphs(struct flow_data *flow) {
  flow_data_drop_nodes(flow);
  for (size_t i = 0; i < flow->n_images; i++) {
    struct flow_image *const image = &flow->images[i];
    solve_close(image->solver);
    free(image->cells);
    image->solver = NULL;
    image->cells = NULL;
    image->n_cells = 0;
  }
  free(flow->edges);
  free(flow->calls);
  free(flow->choices);
  free(flow->decisions);
  free(flow->conditions);
  free(flow->aliases);
  *flow = (struct flow_data){.funcs = flow->funcs,
                             .n_funcs = flow->n_funcs,
                             .files = flow->files,
                             .digests = flow->digests,
                             .images = flow->images,
                             .n_images = flow->n_images};
}

void flow_data_release(struct flow_data *flow) {
  flow_data_drop_graphs(flow);
  free(flow->images);
  free(flow->funcs);
  file_table_release(&flow->files);
  source_digests_release(&flow->digests);
  *flow = (struct flow_data){0};
}
