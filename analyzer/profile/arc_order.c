/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/arc_order.h"

#include "base/err.h"
#include "base/merge_sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

// Shares of all calls that a step uses.
#define POPULAR_SHARE 0.90
#define CHAIN_SHARE 0.99
#define ALL_CALLS HUGE_VAL

// Called functions per popular one.
enum { FUNCTIONS_PER_POPULAR = 80 };

// A function with exactly this many callers ends the list of popular ones:
// GNU's rule.
enum { N_CALLERS_THAT_END = 5 };

/** Position of a node in a chain. */
struct link {
  uint32_t chain; // NONE: in no chain
  uint32_t next;  // node; NONE: the last
  int64_t position;
};

/** Nodes side by side. It grows at both ends: positions may be negative. */
struct chain {
  uint32_t first, last; // nodes
};

/** State of the computation. */
struct maker {
  const struct arc_order_graph *graph;
  uint32_t *arcs; // indices; without recursive calls
  size_t n_arcs;
  uint32_t *rest; // indices of arcs that are left for later; as many at most
  size_t n_rest;
  bool *is_placed;    // per node: it has its place, or gets none by arcs
  bool *is_settled;   // per arc: it makes no chain
  struct link *links; // per node
  struct chain *chains;
  uint32_t n_chains;
  struct arc_order *out;
};

static void release(struct maker *maker) {
  free(maker->arcs);
  free(maker->rest);
  free(maker->is_placed);
  free(maker->is_settled);
  free(maker->links);
  free(maker->chains);
}

static int init(struct maker *maker, const struct arc_order_graph *graph,
                struct arc_order *out, struct err *err) {
  const size_t n_nodes = graph->n_nodes;
  const size_t n_arcs = graph->n_arcs;

  *out = (struct arc_order){
      .nodes = reallocarray(NULL, n_nodes + graph->n_symbols + 1,
                            sizeof(*out->nodes)),
  };
  *maker = (struct maker){
      .graph = graph,
      .arcs = reallocarray(NULL, n_arcs + 1, sizeof(*maker->arcs)),
      .rest = reallocarray(NULL, n_arcs + 1, sizeof(*maker->rest)),
      .is_placed = calloc(n_nodes + 1, sizeof(*maker->is_placed)),
      .is_settled = calloc(n_arcs + 1, sizeof(*maker->is_settled)),
      .links = reallocarray(NULL, n_nodes + 1, sizeof(*maker->links)),
      .chains = reallocarray(NULL, n_nodes / 2 + 1, sizeof(*maker->chains)),
      .out = out,
  };
  if (!out->nodes || !maker->arcs || !maker->rest || !maker->is_placed ||
      !maker->is_settled || !maker->links || !maker->chains)
    return err_no_memory(err);
  for (size_t i = 0; i < n_nodes; i++)
    maker->links[i].chain = NONE;
  for (size_t i = 0; i < n_arcs; i++)
    if (graph->arcs[i].parent != graph->arcs[i].child)
      maker->arcs[maker->n_arcs++] = (uint32_t)i;
  return 0;
}

static void place(struct maker *maker, uint32_t node) {
  maker->is_placed[node] = true;
  maker->out->nodes[maker->out->n_nodes++] = node;
}

static void place_if_missing(struct maker *maker, uint32_t node) {
  if (!maker->is_placed[node])
    place(maker, node);
}

/** By count, the largest first. */
static int compare_counts(const void *left, const void *right,
                          const void *context) {
  const struct profile_arc *const arcs = context;
  const uint64_t left_count = arcs[*(const uint32_t *)left].count;
  const uint64_t right_count = arcs[*(const uint32_t *)right].count;

  return (left_count < right_count) - (left_count > right_count);
}

static int sort_arcs(const struct maker *maker, uint32_t *arcs, size_t n_arcs,
                     struct err *err) {
  return merge_sort(arcs, n_arcs, sizeof(*arcs), compare_counts,
                    maker->graph->arcs)
             ? err_no_memory(err)
             : 0;
}

/** How many of the arcs, from the first on, have this share of all calls. */
static size_t count_share(const struct maker *maker, const uint32_t *arcs,
                          size_t n_arcs, double share) {
  uint64_t total = 0;
  uint64_t sum = 0;

  for (size_t i = 0; i < n_arcs; i++)
    total += maker->graph->arcs[arcs[i]].count;
  for (size_t i = 0; i < n_arcs; i++) {
    sum += maker->graph->arcs[arcs[i]].count;
    if ((double)sum / (double)total > share)
      return i;
  }
  return n_arcs;
}

// --- Chains ---

static void start_chain(struct maker *maker, uint32_t parent, uint32_t child) {
  struct link *const links = maker->links;

  maker->chains[maker->n_chains] = (struct chain){parent, child};
  links[parent] = (struct link){maker->n_chains, child, 0};
  links[child] = (struct link){maker->n_chains++, NONE, 1};
}

/** Put a node at the nearer end of the chain that its parent or child is in. */
static void extend_chain(struct maker *maker, uint32_t node, uint32_t relative,
                         bool is_parent) {
  struct link *const links = maker->links;
  const uint32_t i_chain = links[relative].chain;
  struct chain *const chain = &maker->chains[i_chain];
  const int64_t first = links[chain->first].position;
  const int64_t last = links[chain->last].position;
  const int64_t to_first = links[relative].position - first;
  const int64_t to_last = last - links[relative].position;

  if (to_first < to_last || (to_first == to_last && is_parent)) {
    links[node] = (struct link){i_chain, chain->first, first - 1};
    chain->first = node;
  } else {
    links[node] = (struct link){i_chain, NONE, last + 1};
    links[chain->last].next = node;
    chain->last = node;
  }
}

/** Let arcs make chains, in their order. Those with both ends in chains are
 * left for later. */
static void make_chains(struct maker *maker, const uint32_t *arcs,
                        size_t n_arcs) {
  const struct link *const links = maker->links;

  for (size_t i = 0; i < n_arcs; i++) {
    const struct profile_arc *const arc = &maker->graph->arcs[arcs[i]];
    if (maker->is_settled[arcs[i]] || maker->is_placed[arc->parent] ||
        maker->is_placed[arc->child])
      continue;
    const bool has_parent = links[arc->parent].chain != NONE;
    const bool has_child = links[arc->child].chain != NONE;
    if (has_parent && has_child)
      maker->rest[maker->n_rest++] = arcs[i];
    else if (has_parent)
      extend_chain(maker, arc->child, arc->parent, false);
    else if (has_child)
      extend_chain(maker, arc->parent, arc->child, true);
    else
      start_chain(maker, arc->parent, arc->child);
  }
}

/** Place whole chains, in the order of the arcs that they are of. */
static void place_chains(struct maker *maker, const uint32_t *arcs,
                         size_t n_arcs) {
  for (size_t i = 0; i < n_arcs; i++) {
    const struct profile_arc *const arc = &maker->graph->arcs[arcs[i]];
    const uint32_t i_chain = maker->links[arc->parent].chain;
    if (i_chain == NONE || maker->is_placed[arc->parent] ||
        maker->is_placed[arc->child])
      continue;
    for (uint32_t node = maker->chains[i_chain].first; node != NONE;
         node = maker->links[node].next)
      place(maker, node);
  }
}

/** Place the functions that a share of all calls is of; maker->rest are the
 * arcs that remain. */
static void place_by_arcs(struct maker *maker, const uint32_t *arcs,
                          size_t n_arcs, double share) {
  const size_t n_taken = count_share(maker, arcs, n_arcs, share);

  maker->n_rest = 0;
  make_chains(maker, arcs, n_taken);
  place_chains(maker, arcs, n_taken);
  for (size_t i = n_taken; i < n_arcs; i++)
    if (!maker->is_settled[arcs[i]])
      maker->rest[maker->n_rest++] = arcs[i];
}

// --- Popular functions ---

/** The functions that most others call, and arcs by their ends. */
struct popular {
  uint32_t *functions; // by callers, the most first
  size_t n_functions;
  uint32_t *n_callers;    // per node, for the larger part of all calls
  uint32_t *by_parent;    // per node: its newest arc
  uint32_t *older_parent; // per arc: the one before it of the same parent
  uint32_t *by_child;
  uint32_t *older_child;
};

static void release_popular(struct popular *popular) {
  free(popular->functions);
  free(popular->n_callers);
  free(popular->by_parent);
  free(popular->older_parent);
  free(popular->by_child);
  free(popular->older_child);
}

static int compare_callers(const void *left, const void *right,
                           const void *context) {
  const uint32_t *const n_callers = context;
  const uint32_t left_callers = n_callers[*(const uint32_t *)left];
  const uint32_t right_callers = n_callers[*(const uint32_t *)right];

  return (left_callers < right_callers) - (left_callers > right_callers);
}

static int alloc_popular(const struct maker *maker, struct popular *out,
                         struct err *err) {
  const size_t n_nodes = maker->graph->n_nodes;
  const size_t n_arcs = maker->graph->n_arcs;

  *out = (struct popular){
      .functions = calloc(n_nodes + 1, sizeof(uint32_t)),
      .n_callers = calloc(n_nodes + 1, sizeof(uint32_t)),
      .by_parent = reallocarray(NULL, n_nodes + 1, sizeof(uint32_t)),
      .older_parent = calloc(n_arcs + 1, sizeof(uint32_t)),
      .by_child = reallocarray(NULL, n_nodes + 1, sizeof(uint32_t)),
      .older_child = calloc(n_arcs + 1, sizeof(uint32_t)),
  };
  if (!out->functions || !out->n_callers || !out->by_parent ||
      !out->older_parent || !out->by_child || !out->older_child)
    return err_no_memory(err);
  memset(out->by_parent, 0xff, (n_nodes + 1) * sizeof(uint32_t));
  memset(out->by_child, 0xff, (n_nodes + 1) * sizeof(uint32_t));
  return 0;
}

/** Find the popular functions. maker->arcs are sorted by calls. */
static int find_popular(const struct maker *maker, const uint64_t *n_calls,
                        struct popular *out, struct err *err) {
  const struct profile_arc *const arcs = maker->graph->arcs;
  size_t n_called = 0;

  if (alloc_popular(maker, out, err))
    return -1;
  for (uint32_t i = 0; i < maker->graph->n_symbols; i++)
    if (n_calls[i])
      out->functions[n_called++] = i;
  const size_t n_taken =
      count_share(maker, maker->arcs, maker->n_arcs, POPULAR_SHARE);
  for (size_t i = 0; i < n_taken; i++)
    out->n_callers[arcs[maker->arcs[i]].child]++;
  if (merge_sort(out->functions, n_called, sizeof(*out->functions),
                 compare_callers, out->n_callers))
    return err_no_memory(err);
  while (out->n_functions < n_called / FUNCTIONS_PER_POPULAR &&
         out->n_callers[out->functions[out->n_functions]] != N_CALLERS_THAT_END)
    out->n_functions++;
  for (uint32_t i = 0; i < maker->graph->n_arcs; i++) {
    if (arcs[i].parent == arcs[i].child)
      continue;
    out->older_parent[i] = out->by_parent[arcs[i].parent];
    out->by_parent[arcs[i].parent] = i;
    out->older_child[i] = out->by_child[arcs[i].child];
    out->by_child[arcs[i].child] = i;
  }
  return 0;
}

/** Pick arcs of a list whose ends are both placed, and free these. */
static size_t free_pairs(struct maker *maker, uint32_t newest,
                         const uint32_t *older, uint32_t *picked) {
  size_t n_picked = 0;

  for (uint32_t i = newest; i != NONE; i = older[i]) {
    const struct profile_arc *const arc = &maker->graph->arcs[i];
    maker->is_settled[i] = true;
    if (!maker->is_placed[arc->parent] || !maker->is_placed[arc->child])
      continue;
    maker->is_placed[arc->parent] = maker->is_placed[arc->child] = false;
    picked[n_picked++] = i;
  }
  return n_picked;
}

/**
 * Place popular functions. If one calls another, neither is placed here: the
 * caller comes right after the popular functions, the callee by address.
 * Functions without callers count as popular callers.
 */
static int place_popular(struct maker *maker, const struct popular *popular,
                         bool is_gnu, struct err *err) {
  uint32_t *const pairs = maker->rest; // not needed yet
  size_t n_pairs = 0;

  for (size_t i = 0; i < popular->n_functions; i++)
    maker->is_placed[popular->functions[i]] = true;
  for (size_t i = 0; i < popular->n_functions; i++) {
    const uint32_t function = popular->functions[i];
    n_pairs += free_pairs(maker, popular->by_parent[function],
                          popular->older_parent, &pairs[n_pairs]);
    n_pairs += free_pairs(maker, popular->by_child[function],
                          popular->older_child, &pairs[n_pairs]);
  }
  for (size_t i = 0; i < popular->n_functions; i++)
    if (maker->is_placed[popular->functions[i]] &&
        !(is_gnu && i + 1 == popular->n_functions))
      place(maker, popular->functions[i]);
  if (sort_arcs(maker, pairs, n_pairs, err))
    return -1;
  for (size_t i = 0; i < n_pairs; i++)
    place(maker, maker->graph->arcs[pairs[i]].parent);
  return 0;
}

// --- Functions ---

/** Place functions without callers, last. */
static void place_uncalled(struct maker *maker, const uint64_t *n_calls,
                           bool is_gnu) {
  // Those that popular functions wanted near have their places.
  memset(maker->is_placed, 0, maker->graph->n_nodes);
  for (size_t i = 0; i < maker->out->n_nodes; i++)
    maker->is_placed[maker->out->nodes[i]] = true;
  for (uint32_t i = 0; i < maker->graph->n_symbols; i++)
    if (n_calls[i] == 0 && (is_gnu || !maker->is_placed[i]))
      place(maker, i);
}

int arc_order_functions(const struct arc_order_graph *graph, bool is_gnu,
                        struct arc_order *out, struct err *err) {
  struct maker maker;
  struct popular popular = {0};
  uint64_t *const n_calls = calloc(graph->n_nodes + 1, sizeof(*n_calls));
  int rc = -1;

  if (init(&maker, graph, out, err))
    goto out;
  if (!n_calls) {
    err_no_memory(err);
    goto out;
  }
  for (size_t i = 0; i < maker.n_arcs; i++)
    n_calls[graph->arcs[maker.arcs[i]].child] +=
        graph->arcs[maker.arcs[i]].count;
  // A function without callers is in no chain.
  for (size_t i = 0; i < graph->n_symbols; i++)
    maker.is_placed[i] = n_calls[i] == 0;
  if (sort_arcs(&maker, maker.arcs, maker.n_arcs, err) ||
      find_popular(&maker, n_calls, &popular, err) ||
      place_popular(&maker, &popular, is_gnu, err))
    goto out;
  place_by_arcs(&maker, maker.arcs, maker.n_arcs, CHAIN_SHARE);
  // The arcs that are done make room for those that are left.
  uint32_t *const left = maker.rest;
  maker.rest = maker.arcs;
  maker.arcs = left;
  place_by_arcs(&maker, left, maker.n_rest, ALL_CALLS);
  for (uint32_t i = 0; i < graph->n_symbols; i++)
    if (n_calls[i])
      place_if_missing(&maker, i);
  place_uncalled(&maker, n_calls, is_gnu);
  rc = 0;
out:
  free(n_calls);
  release_popular(&popular);
  release(&maker);
  if (rc)
    arc_order_release(out);
  return rc;
}

// --- Object files ---

int arc_order_files(const struct arc_order_graph *graph, const bool *is_file,
                    struct arc_order *out, struct err *err) {
  struct maker maker;
  int rc = init(&maker, graph, out, err);

  if (rc == 0) {
    for (size_t i = 0; i < graph->n_arcs; i++)
      maker.is_settled[i] =
          !is_file[graph->arcs[i].parent] || !is_file[graph->arcs[i].child];
    place_by_arcs(&maker, maker.arcs, maker.n_arcs, CHAIN_SHARE);
    for (uint32_t i = 0; i < graph->n_symbols; i++)
      if (is_file[i])
        place_if_missing(&maker, i);
  }
  release(&maker);
  if (rc)
    arc_order_release(out);
  return rc;
}

void arc_order_release(struct arc_order *order) {
  free(order->nodes);
  *order = (struct arc_order){0};
}
