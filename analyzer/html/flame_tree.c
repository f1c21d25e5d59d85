/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/flame_tree.h"

#include "base/array.h"
#include "base/err.h"
#include "profile/graph_profile.h"
#include "profile/stack_tree.h"

#include <stdlib.h>

// Limits of trees of the call graph. Frames below this share of all are too
// narrow to be seen; more or deeper frames are of no use.
static const double min_share = 0.0005;
enum { MAX_GRAPH_FRAMES = 20000, MAX_GRAPH_DEPTH = 200 };

static int append(struct flame_tree *tree, const struct flame_frame *frame,
                  struct err *err) {
  struct flame_frame *const frames = array_grow(
      tree->frames, tree->n_frames, &tree->max_frames, sizeof(*frames));
  if (!frames)
    return err_no_memory(err);
  tree->frames = frames;
  frames[tree->n_frames++] = *frame;
  return 0;
}

// --- Measured ---

static int add_stacks(const struct graph_profile *program,
                      struct flame_tree *out, struct err *err) {
  struct stack_tree stacks;
  if (stack_tree_load_all(&program->sides, &program->profile, NULL, true,
                          &stacks, err))
    return -1;
  int rc = 0;
  for (size_t i = 0; rc == 0 && i < stacks.n_frames; i++)
    rc = append(out,
                &(struct flame_frame){.caller = stacks.frames[i].caller,
                                      .i_symbol = stacks.frames[i].i_symbol,
                                      .is_cut = stacks.frames[i].is_cut,
                                      .self = stacks.frames[i].ticks},
                err);
  out->moments = stacks.moments;
  out->n_moments = stacks.n_moments;
  stacks.moments = NULL;
  stack_tree_release(&stacks);
  for (size_t i = 0; i < out->n_frames; i++)
    out->frames[i].total = out->frames[i].self;
  for (size_t i = out->n_frames; i-- > 1;)
    out->frames[out->frames[i].caller].total += out->frames[i].total;
  out->is_measured = true;
  return rc;
}

// --- Of the call graph ---

/** A node's inclusive time. */
static double node_time(const struct cg_node *node) {
  return node->self_share + node->child_share;
}

/** The symbols of a node: itself, or the members of a cycle. */
static const uint32_t *members_of(const struct callgraph *graph,
                                  const uint32_t *i_node, uint32_t *n) {
  const struct cg_node *const node = &graph->nodes[*i_node];
  *n = *i_node < graph->n_symbols ? 1 : node->n_members;
  return *i_node < graph->n_symbols ? i_node
                                    : graph->members + node->first_member;
}

/** The time of a node by unknown callers. */
static double time_of_unknown(const struct callgraph *graph, uint32_t i_node) {
  double rest = node_time(&graph->nodes[i_node]);
  uint32_t n;
  const uint32_t *const members = members_of(graph, &i_node, &n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = graph->by_child.starts[members[i]];
         k < graph->by_child.starts[members[i] + 1]; k++) {
      const uint32_t i_arc = graph->by_child.arcs[k];
      if (!callgraph_is_internal(graph, &graph->profile->arcs[i_arc]))
        rest -= graph->arcs[i_arc].self_share + graph->arcs[i_arc].child_share;
    }
  return rest;
}

/** Append a frame for calls of a symbol, unless it is too small. */
static int append_call(const struct callgraph *graph, uint32_t caller,
                       uint32_t i_symbol, double total, struct flame_tree *out,
                       struct err *err) {
  const size_t i_head = callgraph_head(graph, i_symbol);
  const struct cg_node *const head = &graph->nodes[i_head];
  if (total < min_share * graph->total_ticks || node_time(head) <= 0 ||
      out->n_frames >= MAX_GRAPH_FRAMES)
    return 0;
  return append(out,
                &(struct flame_frame){
                    .caller = caller,
                    .i_symbol = i_symbol,
                    .cycle = i_head < graph->n_symbols ? 0 : head->cycle,
                    .self = total * head->self_share / node_time(head),
                    .total = total},
                err);
}

/** Append the callees of a frame, each with its part of the frame's time. */
static int append_callees(const struct callgraph *graph, uint32_t i_frame,
                          struct flame_tree *out, struct err *err) {
  const struct flame_frame frame = out->frames[i_frame];
  const uint32_t i_head = (uint32_t)callgraph_head(graph, frame.i_symbol);
  const double part = frame.total / node_time(&graph->nodes[i_head]);
  uint32_t n;
  const uint32_t *const members = members_of(graph, &i_head, &n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = graph->by_parent.starts[members[i]];
         k < graph->by_parent.starts[members[i] + 1]; k++) {
      const uint32_t i_arc = graph->by_parent.arcs[k];
      const struct profile_arc *const arc = &graph->profile->arcs[i_arc];
      const struct cg_arc *const shares = &graph->arcs[i_arc];
      if (!callgraph_is_internal(graph, arc) &&
          append_call(graph, i_frame, arc->child,
                      part * (shares->self_share + shares->child_share), out,
                      err))
        return -1;
    }
  return 0;
}

/** Level by level: no path returns to a node, since a cycle is one node. */
static int add_graph(const struct callgraph *graph, struct flame_tree *out,
                     struct err *err) {
  uint32_t *const depths = calloc(MAX_GRAPH_FRAMES + 1, sizeof(*depths));
  if (!depths)
    return err_no_memory(err);
  int rc = append(out, &(struct flame_frame){.i_symbol = PROFILE_NONE}, err);
  for (uint32_t i = 0; rc == 0 && i < graph->n_nodes; i++) {
    // A cycle begins with its first member; others in cycles are within it.
    const bool is_cycle = i >= graph->n_symbols;
    if (is_cycle ? graph->nodes[i].n_members == 0 : graph->nodes[i].cycle != 0)
      continue;
    const double total = time_of_unknown(graph, i);
    rc = append_call(
        graph, 0, is_cycle ? graph->members[graph->nodes[i].first_member] : i,
        total, out, err);
    out->frames[0].total += total > 0 ? total : 0;
  }
  for (uint32_t i = 1; rc == 0 && i < out->n_frames; i++) {
    depths[i] = depths[out->frames[i].caller] + 1;
    if (depths[i] < MAX_GRAPH_DEPTH)
      rc = append_callees(graph, i, out, err);
  }
  free(depths);
  for (size_t i = 1; graph->used && i < out->n_frames; i++)
    out->frames[i].i_symbol = graph->used->whole[out->frames[i].i_symbol];
  return rc;
}

int flame_tree_build(const struct graph_profile *program,
                     struct flame_tree *out, struct err *err) {
  *out = (struct flame_tree){0};
  const int rc = program->measured.total_ticks > 0
                     ? add_stacks(program, out, err)
                     : add_graph(&program->graph, out, err);
  if (rc)
    flame_tree_release(out);
  return rc;
}

void flame_tree_release(struct flame_tree *tree) {
  free(tree->frames);
  free(tree->moments);
  *tree = (struct flame_tree){0};
}
