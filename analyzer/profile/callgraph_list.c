/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/callgraph_list.h"

#include "base/err.h"
#include "base/map64.h"
#include "base/merge_sort.h"
#include "profile/callgraph.h"

#include <stdlib.h>
#include <string.h>

/** Nodes in two parts, in order of index. */
struct parts {
  uint32_t *busy, *idle;
  size_t n_busy, n_idle;
};

static double share_of(const struct cg_node *node) {
  return node->self_share + node->child_share;
}

static bool is_cycle(const struct callgraph *graph, uint32_t i_node) {
  return i_node >= graph->n_symbols;
}

static const char *name_of(const struct callgraph *graph, uint32_t i_symbol) {
  return graph->profile->symtab->symbols[i_symbol].name;
}

static int compare_nodes(const void *left_ptr, const void *right_ptr,
                         const void *context) {
  const struct callgraph *graph = context;
  const uint32_t i_left = *(const uint32_t *)left_ptr;
  const uint32_t i_right = *(const uint32_t *)right_ptr;
  const struct cg_node *left = &graph->nodes[i_left];
  const struct cg_node *right = &graph->nodes[i_right];
  const double difference = share_of(left) - share_of(right);

  if (difference != 0)
    return difference > 0 ? -1 : 1;
  if (is_cycle(graph, i_left) || is_cycle(graph, i_right))
    return is_cycle(graph, i_left) ? -1 : 1;
  const char *left_name = name_of(graph, i_left);
  const char *right_name = name_of(graph, i_right);
  if ((left_name[0] == '_') != (right_name[0] == '_'))
    return left_name[0] == '_' ? 1 : -1;
  if (left->calls != right->calls)
    return left->calls > right->calls ? -1 : 1;
  return left_name == right_name ? 0 : strcmp(left_name, right_name);
}

static bool is_idle(const struct callgraph *graph, uint32_t i_node) {
  const struct cg_node *node = &graph->nodes[i_node];

  return !is_cycle(graph, i_node) && node->calls == 0 && node->ticks == 0 &&
         share_of(node) == 0;
}

static bool has_arcs(const struct callgraph *graph, uint32_t i_symbol) {
  const uint32_t *from = &graph->by_parent.starts[i_symbol];
  const uint32_t *to = &graph->by_child.starts[i_symbol];

  return from[0] != from[1] || to[0] != to[1];
}

/** Are there reports that tell the place of an idle symbol, or of one that
 * stands among them? */
static bool is_order_told(const struct callgraph *graph,
                          const struct parts *parts) {
  for (size_t i = 0; i < parts->n_idle; i++)
    if (has_arcs(graph, parts->idle[i]))
      return true;
  for (size_t i = 0; i < parts->n_busy; i++) {
    const struct cg_node *node = &graph->nodes[parts->busy[i]];
    if (share_of(node) == 0 && node->calls == 0)
      return true;
  }
  return false;
}

// --- Idle symbols ---

/** Different names, each with a rank: its place in the order of names. */
struct ranks {
  const char **names; // no two the same pointer
  uint32_t *of_name;  // equal names have equal ranks
  uint32_t *of_idle;  // index of a name at first
  size_t n_names;
};

static void release_ranks(struct ranks *ranks) {
  free(ranks->names);
  free(ranks->of_name);
  free(ranks->of_idle);
}

/** Find the different names. All lines of a function share its name. */
static int collect_names(const struct callgraph *graph,
                         const struct parts *parts, struct ranks *ranks,
                         struct err *err) {
  struct map64 known = {0};
  int rc = 0;

  for (size_t i = 0; rc == 0 && i < parts->n_idle; i++) {
    const char *const name = name_of(graph, parts->idle[i]);
    const bool is_repeated =
        i > 0 && ranks->names[ranks->of_idle[i - 1]] == name;
    uint32_t i_name = is_repeated ? ranks->of_idle[i - 1]
                                  : map64_find(&known, (uintptr_t)name);
    if (i_name == MAP64_NONE) {
      i_name = (uint32_t)ranks->n_names++;
      ranks->names[i_name] = name;
      rc = map64_insert(&known, (uintptr_t)name, i_name, err);
    }
    ranks->of_idle[i] = i_name;
  }
  map64_release(&known);
  return rc;
}

static int compare_names(const void *left, const void *right,
                         const void *context) {
  const struct ranks *ranks = context;
  const char *left_name = ranks->names[*(const uint32_t *)left];
  const char *right_name = ranks->names[*(const uint32_t *)right];

  if ((left_name[0] == '_') != (right_name[0] == '_'))
    return left_name[0] == '_' ? 1 : -1;
  return strcmp(left_name, right_name);
}

static int rank_names(struct ranks *ranks, struct err *err) {
  uint32_t *const order =
      reallocarray(NULL, ranks->n_names + 1, sizeof(*order));

  if (!order)
    return err_no_memory(err);
  for (size_t i = 0; i < ranks->n_names; i++)
    order[i] = (uint32_t)i;
  const int rc =
      merge_sort(order, ranks->n_names, sizeof(*order), compare_names, ranks);
  uint32_t rank = 0;
  for (size_t i = 0; rc == 0 && i < ranks->n_names; i++) {
    rank += i > 0 && compare_names(&order[i - 1], &order[i], ranks) != 0;
    ranks->of_name[order[i]] = rank;
  }
  free(order);
  return rc ? err_no_memory(err) : 0;
}

/** Sort by rank, by counting, so that equal names keep their order. */
static int sort_by_rank(struct parts *parts, const struct ranks *ranks,
                        struct err *err) {
  size_t *const starts = calloc(ranks->n_names + 2, sizeof(*starts));
  uint32_t *const sorted =
      reallocarray(NULL, parts->n_idle + 1, sizeof(*sorted));
  int rc = -1;

  if (!starts || !sorted) {
    err_no_memory(err);
    goto out;
  }
  for (size_t i = 0; i < parts->n_idle; i++)
    starts[ranks->of_name[ranks->of_idle[i]] + 1]++;
  for (size_t i = 1; i <= ranks->n_names; i++)
    starts[i] += starts[i - 1];
  for (size_t i = 0; i < parts->n_idle; i++)
    sorted[starts[ranks->of_name[ranks->of_idle[i]]]++] = parts->idle[i];
  memcpy(parts->idle, sorted, parts->n_idle * sizeof(*sorted));
  rc = 0;
out:
  free(starts);
  free(sorted);
  return rc;
}

static int sort_idle(const struct callgraph *graph, struct parts *parts,
                     struct err *err) {
  struct ranks ranks = {
      .names = reallocarray(NULL, parts->n_idle + 1, sizeof(*ranks.names)),
      .of_name = reallocarray(NULL, parts->n_idle + 1, sizeof(*ranks.of_name)),
      .of_idle = reallocarray(NULL, parts->n_idle + 1, sizeof(*ranks.of_idle)),
  };
  int rc = -1;

  if (!ranks.names || !ranks.of_name || !ranks.of_idle)
    err_no_memory(err);
  else if (collect_names(graph, parts, &ranks, err) == 0 &&
           rank_names(&ranks, err) == 0)
    rc = sort_by_rank(parts, &ranks, err);
  release_ranks(&ranks);
  return rc;
}

/** Those that begin with an underscore go behind the others. */
static void part_idle(const struct callgraph *graph, struct parts *parts,
                      uint32_t *scratch) {
  size_t n_plain = 0;
  size_t n_others = 0;

  for (size_t i = 0; i < parts->n_idle; i++) {
    if (name_of(graph, parts->idle[i])[0] == '_')
      scratch[n_others++] = parts->idle[i];
    else
      parts->idle[n_plain++] = parts->idle[i];
  }
  memcpy(&parts->idle[n_plain], scratch, n_others * sizeof(*scratch));
}

// --- Both ---

static void part_nodes(const struct callgraph *graph, struct parts *parts) {
  for (uint32_t i = 0; i < graph->n_nodes; i++) {
    if (is_idle(graph, i))
      parts->idle[parts->n_idle++] = i;
    else
      parts->busy[parts->n_busy++] = i;
  }
}

static void place(struct callgraph *graph, size_t *n_placed, uint32_t i_node) {
  graph->listing[(*n_placed)++] = i_node;
  graph->nodes[i_node].index = (uint32_t)*n_placed;
}

/** Count the idle symbols from `first` on that stand before a busy node. */
static size_t count_before(const struct callgraph *graph,
                           const struct parts *parts, size_t first,
                           uint32_t i_busy) {
  size_t low = first;
  size_t high = parts->n_idle;

  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    const int order = compare_nodes(&parts->idle[mid], &i_busy, graph);
    if (order < 0 || (order == 0 && parts->idle[mid] < i_busy))
      low = mid + 1;
    else
      high = mid;
  }
  return low - first;
}

/** There are few busy nodes that idle ones stand before. */
static void merge_parts(struct callgraph *graph, const struct parts *parts) {
  size_t n_placed = 0;
  size_t i_idle = 0;

  for (size_t i = 0; i < parts->n_busy; i++) {
    const uint32_t i_busy = parts->busy[i];
    const size_t n_before = share_of(&graph->nodes[i_busy]) == 0
                                ? count_before(graph, parts, i_idle, i_busy)
                                : 0;
    for (size_t k = 0; k < n_before; k++)
      place(graph, &n_placed, parts->idle[i_idle++]);
    place(graph, &n_placed, i_busy);
  }
  while (i_idle < parts->n_idle)
    place(graph, &n_placed, parts->idle[i_idle++]);
}

int callgraph_list(struct callgraph *graph, bool is_full, struct err *err) {
  struct parts parts = {
      .busy = reallocarray(NULL, graph->n_nodes + 1, sizeof(*parts.busy)),
      .idle = reallocarray(NULL, graph->n_nodes + 1, sizeof(*parts.idle)),
  };
  int rc = -1;

  if (!parts.busy || !parts.idle) {
    err_no_memory(err);
    goto out;
  }
  part_nodes(graph, &parts);
  if (merge_sort(parts.busy, parts.n_busy, sizeof(*parts.busy), compare_nodes,
                 graph)) {
    err_no_memory(err);
    goto out;
  }
  if (is_full || is_order_told(graph, &parts)) {
    if (sort_idle(graph, &parts, err))
      goto out;
  } else {
    part_idle(graph, &parts, graph->listing);
  }
  merge_parts(graph, &parts);
  rc = 0;
out:
  free(parts.busy);
  free(parts.idle);
  return rc;
}
