/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/sample_counts.h"

#include "arcline/abi.h"
#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "counts/flow_data.h"
#include "counts/line_counts.h"
#include "solve/graph.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { OFFSET_MASK = 0xffff };

/** A line with code in a block of LLVM's. */
struct piece {
  struct flow_line pos;
  uint32_t block;
  uint64_t count;
};

/** A call of the present function. */
struct call {
  struct flow_line pos;
  uint32_t block;
  const struct flow_call *flow;
};

/** A target, and the line that it belongs to. */
struct place {
  uint32_t offset, discriminator;
};
struct placed_line {
  struct place at;
  uint64_t count;
};
struct placed_target {
  struct place at;
  struct sample_target target;
};

struct builder {
  const struct flow_data *flow;
  const struct line_counts *indirect_calls;
  struct sample_counts *out;
  const struct flow_func **order; // by name
  uint32_t *blocks;               // of the present function, by node
  uint64_t *counts;               // of the present function, by node
  struct piece *pieces;           // of the present function
  size_t n_pieces, max_pieces;
  struct call *calls; // of the present function
  size_t n_calls, max_calls;
  struct placed_line *lines; // of the present name
  size_t n_lines, max_lines;
  struct placed_target *targets; // of the present name
  size_t n_targets, max_targets;
};

// --- Orders ---

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_pieces(const void *left, const void *right,
                          const void *context) {
  const struct piece *a = left, *b = right;

  (void)context;
  return flow_line_compare(a->pos, b->pos);
}

static int compare_calls(const void *left, const void *right,
                         const void *context) {
  const struct call *a = left, *b = right;

  (void)context;
  return flow_line_compare(a->pos, b->pos);
}

static int compare_places(struct place a, struct place b) {
  return a.offset != b.offset
             ? compare_numbers(a.offset, b.offset)
             : compare_numbers(a.discriminator, b.discriminator);
}

static int compare_lines(const void *left, const void *right,
                         const void *context) {
  const struct placed_line *a = left, *b = right;

  (void)context;
  return compare_places(a->at, b->at);
}

static int compare_placed(const void *left, const void *right,
                          const void *context) {
  const struct placed_target *a = left, *b = right;
  const int order = compare_places(a->at, b->at);

  (void)context;
  return order ? order : strcmp(a->target.name, b->target.name);
}

static int compare_targets(const void *left, const void *right,
                           const void *context) {
  const struct sample_target *a = left, *b = right;

  (void)context;
  return compare_numbers(b->count, a->count);
}

static int compare_names(const void *left, const void *right,
                         const void *context) {
  const struct flow_func *const *a = left, *const *b = right;

  (void)context;
  return strcmp((*a)->name, (*b)->name);
}

// --- Lists ---

static int add_line(struct builder *builder, struct place at, uint64_t count) {
  struct placed_line *const lines = array_grow(
      builder->lines, builder->n_lines, &builder->max_lines, sizeof(*lines));
  if (!lines)
    return -1;
  builder->lines = lines;
  lines[builder->n_lines++] = (struct placed_line){at, count};
  return 0;
}

static int add_target(struct builder *builder, struct place at,
                      const char *name, uint64_t count) {
  if (count == 0)
    return 0;
  struct placed_target *const targets =
      array_grow(builder->targets, builder->n_targets, &builder->max_targets,
                 sizeof(*targets));
  if (!targets)
    return -1;
  builder->targets = targets;
  targets[builder->n_targets++] = (struct placed_target){at, {name, count}};
  return 0;
}

static int add_piece(struct builder *builder, struct flow_line pos,
                     uint32_t block, uint64_t count) {
  struct piece *const pieces =
      array_grow(builder->pieces, builder->n_pieces, &builder->max_pieces,
                 sizeof(*pieces));
  if (!pieces)
    return -1;
  builder->pieces = pieces;
  pieces[builder->n_pieces++] = (struct piece){pos, block, count};
  return 0;
}

static int add_call(struct builder *builder, const struct flow_call *call) {
  struct call *const calls = array_grow(builder->calls, builder->n_calls,
                                        &builder->max_calls, sizeof(*calls));
  if (!calls)
    return -1;
  builder->calls = calls;
  calls[builder->n_calls++] =
      (struct call){call->pos, builder->blocks[call->node], call};
  return 0;
}

// --- One function ---

/** Number the blocks of nodes. */
static void number_blocks(struct builder *builder,
                          const struct flow_func *func) {
  const struct flow_node *const nodes = builder->flow->nodes + func->first_node;

  for (uint32_t i = 0; i < func->n_nodes; i++)
    builder->blocks[i] =
        i == 0 ? 1 : builder->blocks[i - 1] + !nodes[i].is_continued;
}

/**
 * Count how often each block was begun: as often as its first node was entered,
 * and also as its second, if that is a branch target, too.
 */
static void count_blocks(struct builder *builder,
                         const struct flow_func *func) {
  const struct flow_data *const flow = builder->flow;
  const struct flow_node *const nodes = flow->nodes + func->first_node;
  const struct arcline_edge *const edges = flow->edges + func->first_edge;
  uint64_t *const counts = builder->counts;

  for (uint32_t i = 0; i < func->n_nodes; i++)
    counts[i] = nodes[i].count;
  for (uint32_t i = 0; i < func->n_edges; i++)
    if (edges[i].from < func->n_nodes && edges[i].to < func->n_nodes &&
        edges[i].to > 0 && edges[i].to != edges[i].from + 1 &&
        nodes[edges[i].to].is_continued)
      counts[edges[i].to - 1] =
          nodes[edges[i].to - 1].count + nodes[edges[i].to].count;
}

/** List the lines and calls of the function, by line. */
static int collect(struct builder *builder, const struct flow_func *func) {
  const struct flow_data *const flow = builder->flow;

  builder->n_pieces = builder->n_calls = 0;
  for (uint32_t i = 0; i < func->n_nodes; i++) {
    const struct flow_node *const node = &flow->nodes[func->first_node + i];
    for (size_t k = 0; k < node->n_code_lines; k++) {
      const struct flow_line pos = flow->lines[node->first_code_line + k];
      if (pos.line != 0 &&
          add_piece(builder, pos, builder->blocks[i], builder->counts[i]))
        return -1;
    }
  }
  for (uint32_t i = 0; i < func->n_calls; i++) {
    const struct flow_call *const call = &flow->calls[func->first_call + i];
    if (call->pos.line != 0 && add_call(builder, call))
      return -1;
  }
  return merge_sort_runs(builder->pieces, builder->n_pieces,
                         sizeof(*builder->pieces), compare_pieces, NULL) ||
                 merge_sort_runs(builder->calls, builder->n_calls,
                                 sizeof(*builder->calls), compare_calls, NULL)
             ? -1
             : 0;
}

/** Add the callees of an indirect call: its share of the callees of its
 * line. */
static int add_indirect_targets(struct builder *builder, struct place at,
                                const struct flow_call *call) {
  const struct line_counts *const known = builder->indirect_calls;
  const size_t first = flow_line_count_before(known->calls, known->n_calls,
                                              sizeof(*known->calls), call->pos);
  size_t end = first;
  uint64_t total = 0;

  for (; end < known->n_calls &&
         flow_line_compare(known->calls[end].pos, call->pos) == 0;
       end++)
    total += known->calls[end].count;
  if (total == 0)
    return 0;
  const double share = (double)call->count / (double)total;
  for (size_t i = first; i < end; i++) {
    const struct line_call *const to = &known->calls[i];
    const uint64_t count =
        share == 1 ? to->count : (uint64_t)((double)to->count * share);
    if (to->callee[0] && add_target(builder, at, to->callee, count))
      return -1;
  }
  return 0;
}

/** Does LLVM turn a call into an intrinsic, which has no number? */
static bool is_intrinsic(const struct flow_call *call) {
  return strcmp(call->callee, "memcpy") == 0 ||
         strcmp(call->callee, "memmove") == 0 ||
         strcmp(call->callee, "memset") == 0;
}

/** Add the line of some pieces and some calls, which is the same. */
static int add_pos(struct builder *builder, uint32_t first_line,
                   const struct piece *pieces, size_t n_pieces,
                   const struct call *calls, size_t n_calls) {
  const struct flow_line pos = n_pieces > 0 ? pieces->pos : calls->pos;
  struct place at = {(pos.line - first_line) & OFFSET_MASK, 0};
  const struct piece *const end = pieces + n_pieces;
  uint32_t number = 0;
  size_t i_call = 0;

  // Each block gets a number; later calls in it get the numbers after the last
  // one.
  for (const struct piece *piece = pieces; piece != end; piece++)
    number += piece != pieces && piece->block != piece[-1].block;
  for (const struct piece *piece = pieces; piece != end;) {
    const uint32_t block = piece->block;
    uint64_t count = 0;
    for (; piece != end && piece->block == block; piece++)
      count = piece->count > count ? piece->count : count;
    if (add_line(builder, at, count))
      return -1;
    bool has_call = false;
    for (; i_call < n_calls && calls[i_call].block <= block; i_call++) {
      const struct flow_call *const call = calls[i_call].flow;
      const bool is_numbered = !is_intrinsic(call);
      const struct place call_at = {
          at.offset, is_numbered && has_call ? ++number : at.discriminator};
      has_call |= is_numbered;
      if (add_line(builder, call_at, call->count) ||
          (call->callee[0]
               ? add_target(builder, call_at, call->callee, call->count)
               : add_indirect_targets(builder, call_at, call)))
        return -1;
    }
    at.discriminator++;
  }
  return 0;
}

/** Join lines at one place: several files of a function may have lines of one
 * number. Lines from first on. */
static int join_lines(struct builder *builder, size_t first, bool is_sum) {
  struct placed_line *const lines = builder->lines;
  size_t n = first;

  if (merge_sort_runs(lines + first, builder->n_lines - first, sizeof(*lines),
                      compare_lines, NULL))
    return -1;
  for (size_t i = first; i < builder->n_lines; i++) {
    if (n == first || compare_places(lines[n - 1].at, lines[i].at) != 0)
      lines[n++] = lines[i];
    else if (is_sum)
      lines[n - 1].count += lines[i].count;
    else if (lines[i].count > lines[n - 1].count)
      lines[n - 1].count = lines[i].count;
  }
  builder->n_lines = n;
  return 0;
}

static int add_func(struct builder *builder, const struct flow_func *func) {
  const size_t first = builder->n_lines;

  number_blocks(builder, func);
  count_blocks(builder, func);
  if (collect(builder, func))
    return -1;
  const struct piece *const pieces = builder->pieces;
  const struct call *const calls = builder->calls;
  for (size_t i = 0, k = 0; i < builder->n_pieces;) {
    const struct flow_line pos = pieces[i].pos;
    const size_t first_piece = i;
    while (i < builder->n_pieces && flow_line_compare(pieces[i].pos, pos) == 0)
      i++;
    while (k < builder->n_calls && flow_line_compare(calls[k].pos, pos) < 0)
      k++; // on a line that has no code: damaged
    const size_t first_call = k;
    while (k < builder->n_calls && flow_line_compare(calls[k].pos, pos) == 0)
      k++;
    if (add_pos(builder, func->pos.line, pieces + first_piece, i - first_piece,
                calls + first_call, k - first_call))
      return -1;
  }
  return join_lines(builder, first, false);
}

// --- All functions ---

static bool has_run(const struct flow_data *flow,
                    const struct flow_func *func) {
  for (uint32_t i = 0; i < func->n_nodes; i++)
    if (flow->nodes[func->first_node + i].count > 0)
      return true;
  return false;
}

/** Move the targets of a line to the result. *i: its first one. */
static int finish_targets(struct builder *builder, struct sample_line *line,
                          size_t *i) {
  struct sample_counts *const out = builder->out;
  const struct place at = {line->offset, line->discriminator};

  line->first_target = out->n_targets;
  for (; *i < builder->n_targets &&
         compare_places(builder->targets[*i].at, at) == 0;
       ++*i) {
    const struct sample_target target = builder->targets[*i].target;
    struct sample_target *const last = out->n_targets > line->first_target
                                           ? &out->targets[out->n_targets - 1]
                                           : NULL;
    if (last && strcmp(last->name, target.name) == 0) {
      last->count += target.count;
      continue;
    }
    struct sample_target *const targets = array_grow(
        out->targets, out->n_targets, &out->max_targets, sizeof(*targets));
    if (!targets)
      return -1;
    out->targets = targets;
    targets[out->n_targets++] = target;
  }
  line->n_targets = (uint32_t)(out->n_targets - line->first_target);
  return line->n_targets == 0
             ? 0
             : merge_sort(out->targets + line->first_target, line->n_targets,
                          sizeof(*out->targets), compare_targets, NULL);
}

/** Move the lines and targets added under a name to the result. */
static int finish_name(struct builder *builder, const char *name,
                       uint64_t n_entries) {
  struct sample_counts *const out = builder->out;
  size_t i_target = 0;

  if (join_lines(builder, 0, true) ||
      merge_sort(builder->targets, builder->n_targets,
                 sizeof(*builder->targets), compare_placed, NULL))
    return -1;
  out->funcs[out->n_funcs++] =
      (struct sample_func){name, n_entries, out->n_lines, builder->n_lines};
  for (size_t i = 0; i < builder->n_lines; i++) {
    struct sample_line *const lines =
        array_grow(out->lines, out->n_lines, &out->max_lines, sizeof(*lines));
    if (!lines)
      return -1;
    out->lines = lines;
    struct sample_line *const line = &lines[out->n_lines++];
    *line = (struct sample_line){.offset = builder->lines[i].at.offset,
                                 .discriminator =
                                     builder->lines[i].at.discriminator,
                                 .count = builder->lines[i].count};
    if (finish_targets(builder, line, &i_target))
      return -1;
  }
  builder->n_lines = builder->n_targets = 0;
  return 0;
}

static int build(struct builder *builder) {
  const struct flow_data *const flow = builder->flow;
  uint32_t max_nodes = 0;
  size_t n = 0;

  builder->order = calloc(flow->n_funcs + 1, sizeof(*builder->order));
  builder->out->funcs = calloc(flow->n_funcs + 1, sizeof(*builder->out->funcs));
  if (!builder->order || !builder->out->funcs)
    return -1;
  for (size_t i = 0; i < flow->n_funcs; i++) {
    const struct flow_func *const func = &flow->funcs[i];
    if (func->pos.line == 0 || !has_run(flow, func))
      continue;
    max_nodes = func->n_nodes > max_nodes ? func->n_nodes : max_nodes;
    builder->order[n++] = func;
  }
  builder->blocks = calloc((size_t)max_nodes + 1, sizeof(*builder->blocks));
  builder->counts = calloc((size_t)max_nodes + 1, sizeof(*builder->counts));
  if (!builder->blocks || !builder->counts ||
      merge_sort(builder->order, n, sizeof(*builder->order), compare_names,
                 NULL))
    return -1;
  for (size_t i = 0; i < n;) {
    const char *const name = builder->order[i]->name;
    uint64_t n_entries = 0;
    for (; i < n && strcmp(builder->order[i]->name, name) == 0; i++) {
      n_entries += builder->order[i]->n_entries;
      if (add_func(builder, builder->order[i]))
        return -1;
    }
    if (finish_name(builder, name, n_entries))
      return -1;
  }
  return 0;
}

int sample_counts_build(const struct flow_data *flow,
                        const struct line_counts *indirect_calls,
                        struct sample_counts *out, struct err *err) {
  struct builder builder = {
      .flow = flow, .indirect_calls = indirect_calls, .out = out};

  *out = (struct sample_counts){0};
  const int rc = build(&builder);
  free(builder.order);
  free(builder.blocks);
  free(builder.counts);
  free(builder.pieces);
  free(builder.calls);
  free(builder.lines);
  free(builder.targets);
  if (rc == 0)
    return 0;
  sample_counts_release(out);
  return err_no_memory(err);
}

void sample_counts_release(struct sample_counts *counts) {
  free(counts->funcs);
  free(counts->lines);
  free(counts->targets);
  *counts = (struct sample_counts){0};
}
