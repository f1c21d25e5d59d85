/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counters -> block counts: decodes each function's flow graph, solves the
   flow equations, and looks up the count for each address that the pass noted.
   The constant data comes from our own pass, but through a linker: all of it
   is checked, and a function that does not add up is left out. */
#include <errno.h>

#include "arcline/flow.h"
#include "rt.h"

struct solver {
  const struct rt_image *image;
  uint64_t load_bias;
  const uint64_t *counters; /* totals */
  size_t n_funcs;
  uint64_t *first_node; /* per function, and one more: index into counts */
  struct arcline_edge *edges;
  struct arcline_flow_node *nodes;
  uint64_t *counts;  /* per node of all functions */
  uint8_t *is_done;  /* per node: its pair is out, or it must have none */
  uint8_t *pc_taken; /* bit per byte of text */
  uint64_t text_low, text_bytes;
};

static const void *target(const arcline_rel32 *field) {
  return (const void *)((uintptr_t)field + (uintptr_t)(intptr_t)*field);
}

/* Sets *head and leaves *out at the first edge; false if func is unusable. */
static bool open_graph(const struct rt_image *image,
                       const struct arcline_func *func,
                       struct arcline_cursor *out,
                       struct arcline_graph_head *head) {
  if (func->version != ARCLINE_ABI_VERSION)
    return false;
  const uint8_t *graph = target(&func->graph);
  const uint64_t *counters = target(&func->counters);
  if (graph < image->data || graph > image->data_end ||
      func->graph_bytes > (size_t)(image->data_end - graph))
    return false;
  if (func->n_counters &&
      (counters < image->counters || counters > image->counters_end ||
       func->n_counters > (size_t)(image->counters_end - counters)))
    return false;
  *out = (struct arcline_cursor){.at = graph, .end = graph + func->graph_bytes};
  return arcline_read_graph_head(out, head) == 0;
}

static int solve_function(const struct solver *s,
                          const struct arcline_func *func, uint64_t *counts) {
  const uint64_t *const first =
      s->counters +
      ((const uint64_t *)target(&func->counters) - s->image->counters);
  struct arcline_cursor cursor;
  struct arcline_graph_head head;

  if (!open_graph(s->image, func, &cursor, &head))
    return -EINVAL;
  for (uint32_t i = 0; i < head.n_edges; i++) {
    struct arcline_edge *edge = &s->edges[i];
    if (arcline_read_edge(&cursor, &head, func->n_counters, edge))
      return -EINVAL;
    if (edge->counter != ARCLINE_NO_COUNTER)
      edge->count = first[edge->counter];
  }
  if (arcline_flow_solve(s->edges, head.n_edges, s->nodes, head.n_nodes))
    return -EINVAL;
  for (uint32_t i = 0; i < head.n_edges; i++)
    if (s->edges[i].to < head.n_nodes)
      counts[s->edges[i].to] += s->edges[i].count;
  return 0;
}

static void solve_all(const struct solver *s) {
  for (size_t i = 0; i < s->n_funcs; i++) {
    const uint64_t first = s->first_node[i];
    const uint64_t n = s->first_node[i + 1] - first;
    if (n && solve_function(s, &s->image->funcs[i], s->counts + first))
      for (uint64_t node = first; node < first + n; node++)
        s->is_done[node] = 1;
  }
}

static void list_addresses(const struct solver *s, struct rt_profile *out) {
  const struct rt_image *image = s->image;

  for (const struct arcline_addr *addr = image->addrs; addr < image->addrs_end;
       addr++) {
    const uint64_t vaddr = addr->pc - s->load_bias;
    const uint64_t at = vaddr - s->text_low;
    const uintptr_t func_off =
        (uintptr_t)target(&addr->func) - (uintptr_t)image->funcs;
    const size_t i_func = func_off / sizeof *image->funcs;
    if (addr->pc <= 1 || at >= s->text_bytes ||
        func_off % sizeof *image->funcs || i_func >= s->n_funcs)
      continue;
    const uint64_t node = s->first_node[i_func] + addr->node;
    const uint8_t bit = (uint8_t)(1 << at % 8);
    if (node >= s->first_node[i_func + 1] || s->is_done[node] ||
        s->pc_taken[at / 8] & bit)
      continue;
    s->is_done[node] = 1;
    s->pc_taken[at / 8] |= bit;
    // Counters that were read while the function ran may contradict one
    // another and give a count below zero.
    const uint64_t count = s->counts[node];
    out->blocks[out->n_blocks++] = (struct rt_pair){
        .vaddr = vaddr, .count = (int64_t)count < 0 ? 0 : count};
  }
}

/* Fills in first_node; returns the number of nodes of all functions and the
   sizes of the largest one. */
static uint64_t measure(struct solver *s, uint64_t *max_nodes,
                        uint64_t *max_edges) {
  uint64_t n_nodes = 0;

  *max_nodes = 0;
  *max_edges = 0;
  for (size_t i = 0; i < s->n_funcs; i++) {
    struct arcline_cursor cursor;
    struct arcline_graph_head head;
    s->first_node[i] = n_nodes;
    if (!open_graph(s->image, &s->image->funcs[i], &cursor, &head))
      continue;
    n_nodes += head.n_nodes;
    if (head.n_nodes > *max_nodes)
      *max_nodes = head.n_nodes;
    if (head.n_edges > *max_edges)
      *max_edges = head.n_edges;
  }
  s->first_node[s->n_funcs] = n_nodes;
  return n_nodes;
}

int rt_profile_solve(const struct rt_object *object, struct rt_profile *out) {
  const struct rt_image *image = &object->image;
  const size_t n_addrs = (size_t)(image->addrs_end - image->addrs);
  struct solver s = {
      .image = image,
      .load_bias = object->load_bias,
      .counters = out->counters,
      .n_funcs = (size_t)(image->funcs_end - image->funcs),
      .text_low = object->texts[0].low_vaddr,
      .text_bytes = object->texts[object->n_texts - 1].high_vaddr -
                    object->texts[0].low_vaddr,
  };
  const size_t table_bytes = (s.n_funcs + 1) * sizeof *s.first_node;
  uint64_t max_nodes;
  uint64_t max_edges;
  int rc = -ENOMEM;

  if (!s.n_funcs || !n_addrs)
    return 0;
  s.first_node = rt_map(table_bytes);
  if (!s.first_node)
    return rc;
  const uint64_t n_nodes = measure(&s, &max_nodes, &max_edges);
  const size_t counts_bytes = n_nodes * sizeof *s.counts;
  const size_t edges_bytes = max_edges * sizeof *s.edges;
  const size_t nodes_bytes = (max_nodes + 1) * sizeof *s.nodes;
  const size_t scratch_bytes =
      counts_bytes + edges_bytes + nodes_bytes + n_nodes + s.text_bytes / 8 + 1;
  char *scratch = rt_map(scratch_bytes);
  out->n_blocks_room = n_addrs;
  out->blocks = rt_map(n_addrs * sizeof *out->blocks);
  if (scratch && out->blocks) {
    s.counts = (uint64_t *)scratch;
    s.edges = (struct arcline_edge *)(scratch + counts_bytes);
    s.nodes =
        (struct arcline_flow_node *)(scratch + counts_bytes + edges_bytes);
    s.is_done = (uint8_t *)s.nodes + nodes_bytes;
    s.pc_taken = s.is_done + n_nodes;
    solve_all(&s);
    list_addresses(&s, out);
    rc = 0;
  }
  rt_unmap(scratch, scratch_bytes);
  rt_unmap(s.first_node, table_bytes);
  return rc;
}
