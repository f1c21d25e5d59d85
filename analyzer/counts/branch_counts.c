/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/branch_counts.h"

#include "arcline/flow.h"
#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"

#include <stdlib.h>
#include <string.h>

// What every handler of an exception calls first, by the C++ ABI.
static const char begin_catch[] = "__cxa_begin_catch";

/** A block as it stands in a function. */
struct raw_block {
  struct branch_block block;
  const struct flow_func *func;
};

/** All blocks of one function on one line: a stretch of builder.raw. */
struct group {
  const struct flow_func *func;
  size_t first, n;
};

/** What is known of a node of the present function. */
struct node {
  uint32_t n_ways;
  size_t next_way; // where the count of its next edge goes
  bool is_catch;   // begins to handle an exception
  bool leads_to_catch;
};

struct builder {
  const struct flow_data *flow;
  struct node *nodes;
  struct raw_block *raw;
  size_t n_raw, max_raw;
  uint64_t *ways; // of raw blocks
  size_t n_ways;
  struct group *groups;
  size_t n_groups;
};

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/** By line, then function; blocks of a function stay in order. */
static int compare_raw(const void *left, const void *right,
                       const void *context) {
  const struct raw_block *a = left, *b = right;
  const int order = flow_line_compare(a->block.pos, b->block.pos);

  (void)context;
  return order ? order
               : compare_numbers((uintptr_t)a->func, (uintptr_t)b->func);
}

/** The part of a name that instances of one function share. */
static const char *family(const char *name) {
  const bool is_mangled =
      strncmp(name, "_Z", 2) == 0 || strncmp(name, "_R", 2) == 0;

  return is_mangled ? "" : name;
}

static int compare_shapes(const struct raw_block *a, size_t n_a,
                          const struct raw_block *b, size_t n_b) {
  for (size_t i = 0; i < n_a && i < n_b; i++) {
    int order = compare_numbers(a[i].block.n_ways, b[i].block.n_ways);
    if (order == 0)
      order = a[i].block.is_exception - b[i].block.is_exception;
    if (order != 0)
      return order;
  }
  return compare_numbers(n_a, n_b);
}

/** By line; groups that are instances of each other compare equal. */
static int compare_groups(const void *left, const void *right,
                          const void *context) {
  const struct group *a = left, *b = right;
  const struct builder *builder = context;
  const struct raw_block *raw = builder->raw;
  int order =
      flow_line_compare(raw[a->first].block.pos, raw[b->first].block.pos);

  if (order == 0)
    order = flow_line_compare(a->func->pos, b->func->pos);
  if (order == 0)
    order = strcmp(family(a->func->name), family(b->func->name));
  if (order == 0)
    order = compare_shapes(&raw[a->first], a->n, &raw[b->first], b->n);
  return order;
}

/** Line of a node's choice; line 0 if there is none. */
static struct flow_line choice_line(const struct flow_data *flow,
                                    const struct flow_node *node) {
  if (node->n_code_lines == 0)
    return (struct flow_line){0};
  return flow->lines[node->first_code_line + node->n_code_lines - 1];
}

/** Find out how many ways lead from each node of a function. */
static void look_at_nodes(struct builder *builder,
                          const struct flow_func *func) {
  const struct flow_data *flow = builder->flow;
  const struct arcline_edge *edges = flow->edges + func->first_edge;
  struct node *nodes = builder->nodes;

  memset(nodes, 0, func->n_nodes * sizeof(*nodes));
  for (uint32_t i = 0; i < func->n_calls; i++) {
    const struct flow_call *call = &flow->calls[func->first_call + i];
    nodes[call->node].is_catch |= strcmp(call->callee, begin_catch) == 0;
  }
  for (uint32_t i = 0; i < func->n_edges; i++) {
    if (edges[i].kind != ARCLINE_EDGE_BRANCH || edges[i].from >= func->n_nodes)
      continue;
    nodes[edges[i].from].n_ways++;
    nodes[edges[i].from].leads_to_catch |=
        edges[i].to < func->n_nodes && nodes[edges[i].to].is_catch;
  }
}

/** List the blocks of a function. Returns 0 or -1 (no memory). */
static int collect_blocks(struct builder *builder,
                          const struct flow_func *func) {
  const struct flow_data *flow = builder->flow;
  const struct arcline_edge *edges = flow->edges + func->first_edge;

  look_at_nodes(builder, func);
  for (uint32_t i = 0; i < func->n_nodes; i++) {
    const struct flow_node *counts = &flow->nodes[func->first_node + i];
    const struct flow_line pos = choice_line(flow, counts);
    struct node *node = &builder->nodes[i];
    if (node->n_ways < 2 || pos.line == 0) {
      node->n_ways = 0;
      continue;
    }
    struct raw_block *raw = array_grow(builder->raw, builder->n_raw,
                                       &builder->max_raw, sizeof(*raw));
    if (!raw)
      return -1;
    builder->raw = raw;
    builder->raw[builder->n_raw++] = (struct raw_block){
        .func = func,
        .block = {.pos = pos,
                  .is_exception = node->leads_to_catch,
                  .count = counts->count,
                  .first_way = builder->n_ways,
                  .n_ways = node->n_ways},
    };
    node->next_way = builder->n_ways;
    builder->n_ways += node->n_ways;
  }
  for (uint32_t i = 0; i < func->n_edges; i++)
    if (edges[i].kind == ARCLINE_EDGE_BRANCH && edges[i].from < func->n_nodes &&
        builder->nodes[edges[i].from].n_ways > 0)
      builder->ways[builder->nodes[edges[i].from].next_way++] = edges[i].count;
  return 0;
}

/** Collect the blocks of all functions. Returns 0 or -1 (no memory). */
static int collect(struct builder *builder) {
  const struct flow_data *flow = builder->flow;
  uint32_t max_nodes = 0;

  for (size_t i = 0; i < flow->n_funcs; i++)
    if (flow->funcs[i].n_nodes > max_nodes)
      max_nodes = flow->funcs[i].n_nodes;
  builder->nodes =
      reallocarray(NULL, (size_t)max_nodes + 1, sizeof(*builder->nodes));
  builder->ways = reallocarray(NULL, flow->n_edges + 1, sizeof(*builder->ways));
  if (!builder->nodes || !builder->ways)
    return -1;
  for (size_t i = 0; i < flow->n_funcs; i++)
    if (!flow->funcs[i].is_delegate &&
        collect_blocks(builder, &flow->funcs[i]) != 0)
      return -1;
  return merge_sort(builder->raw, builder->n_raw, sizeof(*builder->raw),
                    compare_raw, NULL);
}

/** Find the groups and sort them. Returns 0 or -1 (no memory). */
static int make_groups(struct builder *builder) {
  const struct raw_block *raw = builder->raw;
  struct group *group = NULL;

  builder->groups =
      reallocarray(NULL, builder->n_raw + 1, sizeof(*builder->groups));
  if (!builder->groups)
    return -1;
  for (size_t i = 0; i < builder->n_raw; i++) {
    if (i == 0 || compare_raw(&raw[i - 1], &raw[i], NULL) != 0) {
      group = &builder->groups[builder->n_groups++];
      *group = (struct group){.func = raw[i].func, .first = i};
    }
    group->n++;
  }
  return merge_sort(builder->groups, builder->n_groups,
                    sizeof(*builder->groups), compare_groups, builder);
}

/** Add the counts of a group to blocks that are its instances. */
static void add_group(const struct builder *builder, const struct group *group,
                      const struct branch_counts *out,
                      struct branch_block *blocks) {
  for (size_t i = 0; i < group->n; i++) {
    const struct branch_block *block = &builder->raw[group->first + i].block;
    blocks[i].count += block->count;
    for (uint32_t k = 0; k < block->n_ways; k++)
      out->ways[blocks[i].first_way + k] += builder->ways[block->first_way + k];
  }
}

/** Append the blocks of a group, with counts of 0. */
static void append_group(const struct builder *builder,
                         const struct group *group, struct branch_counts *out) {
  for (size_t i = 0; i < group->n; i++) {
    const struct branch_block *last =
        out->n_blocks > 0 ? &out->blocks[out->n_blocks - 1] : NULL;
    struct branch_block block = builder->raw[group->first + i].block;
    block.count = 0;
    block.number = last && flow_line_compare(last->pos, block.pos) == 0
                       ? last->number + 1
                       : 0;
    block.first_way = out->n_ways;
    out->n_ways += block.n_ways;
    out->blocks[out->n_blocks++] = block;
  }
}

/** Join groups that are instances of each other. Returns 0 or -1 (no memory).
 */
static int join_groups(const struct builder *builder,
                       struct branch_counts *out) {
  const struct group *groups = builder->groups;

  out->blocks = reallocarray(NULL, builder->n_raw + 1, sizeof(*out->blocks));
  out->ways = calloc(builder->n_ways + 1, sizeof(*out->ways));
  if (!out->blocks || !out->ways)
    return -1;
  for (size_t i = 0; i < builder->n_groups; i++) {
    if (i == 0 || compare_groups(&groups[i - 1], &groups[i], builder) != 0)
      append_group(builder, &groups[i], out);
    add_group(builder, &groups[i], out,
              &out->blocks[out->n_blocks - groups[i].n]);
  }
  return 0;
}

int branch_counts_build(const struct flow_data *flow, struct branch_counts *out,
                        struct err *err) {
  struct builder builder = {.flow = flow};

  *out = (struct branch_counts){0};
  int rc = collect(&builder);
  if (rc == 0)
    rc = make_groups(&builder);
  if (rc == 0)
    rc = join_groups(&builder, out);
  free(builder.nodes);
  free(builder.raw);
  free(builder.ways);
  free(builder.groups);
  if (rc != 0) {
    branch_counts_release(out);
    err_no_memory(err);
  }
  return rc;
}

void branch_counts_release(struct branch_counts *counts) {
  free(counts->blocks);
  free(counts->ways);
  *counts = (struct branch_counts){0};
}
