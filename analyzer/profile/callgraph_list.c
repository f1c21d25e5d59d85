/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/callgraph_list.h"

#include "base/array.h"
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

// --- Idle nodes ---

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

// --- Symbols that are no nodes ---

/** A range of counter.places. */
struct stretch {
  uint32_t first, end;
};

/** Nodes that compare with an idle symbol by name: all that have neither calls
 * nor a share of time. Names beginning with an underscore are of a kind. */
struct kind {
  struct stretch places;
  uint32_t end; // the place in the listing behind the last one
};

/** What counts the symbols that are no nodes. All of them are idle. */
struct counter {
  const struct callgraph *graph;
  uint32_t *places;      // in the listing, by kind
  struct kind kinds[2];  // those with an underscore are the second
  uint32_t *n_before;    // per place: symbols between it and the place before
  struct stretch *found; // the nodes of names asked for
  size_t n_found, found_capacity;
  struct map64 known; // name -> found
};

static void find_kind(struct counter *counter, bool is_underscored,
                      uint32_t first) {
  const struct callgraph *const graph = counter->graph;
  struct kind *const kind = &counter->kinds[is_underscored];

  kind->places = (struct stretch){first, first};
  for (uint32_t i = 0; i < graph->n_nodes; i++) {
    const uint32_t i_node = graph->listing[i];
    const struct cg_node *const node = &graph->nodes[i_node];
    const bool has_name = share_of(node) == 0 && !is_cycle(graph, i_node);
    if (has_name && (name_of(graph, i_node)[0] == '_') > is_underscored)
      continue;
    kind->end = i + 1;
    if (has_name && node->calls == 0 &&
        (name_of(graph, i_node)[0] == '_') == is_underscored)
      counter->places[kind->places.end++] = i;
  }
}

static const char *name_at(const struct counter *counter, uint32_t i_place) {
  const struct callgraph *const graph = counter->graph;

  return name_of(graph, graph->listing[counter->places[i_place]]);
}

/** First one whose name is not less than the given one; or, if is_after, is
 * greater. */
static uint32_t find_name(const struct counter *counter, struct stretch in,
                          const char *name, bool is_after) {
  while (in.first < in.end) {
    const uint32_t middle = in.first + (in.end - in.first) / 2;
    const int order = strcmp(name_at(counter, middle), name);
    if (order < 0 || (order == 0 && is_after))
      in.first = middle + 1;
    else
      in.end = middle;
  }
  return in.first;
}

/** Find the nodes of a name; none: where they would be. */
static int find_namesakes(struct counter *counter, const char *name,
                          struct stretch *out, struct err *err) {
  const struct stretch kind = counter->kinds[name[0] == '_'].places;

  *out = kind;
  if (kind.first == kind.end)
    return 0;
  const uint32_t i_found = map64_find(&counter->known, (uintptr_t)name);
  if (i_found != MAP64_NONE) {
    *out = counter->found[i_found];
    return 0;
  }
  out->first = find_name(counter, kind, name, false);
  out->end =
      find_name(counter, (struct stretch){out->first, kind.end}, name, true);
  struct stretch *const found =
      array_grow(counter->found, counter->n_found, &counter->found_capacity,
                 sizeof(*found));
  if (!found)
    return err_no_memory(err);
  counter->found = found;
  found[counter->n_found] = *out;
  return map64_insert(&counter->known, (uintptr_t)name,
                      (uint32_t)counter->n_found++, err);
}

/** Where a symbol stands in the listing. Of equal names, those of lower
 * addresses go first. */
static uint32_t find_place(const struct counter *counter,
                           struct stretch namesakes, size_t i_symbol,
                           const struct kind *kind) {
  const struct callgraph *const graph = counter->graph;

  while (namesakes.first < namesakes.end) {
    const uint32_t middle =
        namesakes.first + (namesakes.end - namesakes.first) / 2;
    const uint32_t i_node = graph->listing[counter->places[middle]];
    if (graph->used->whole[i_node] < i_symbol)
      namesakes.first = middle + 1;
    else
      namesakes.end = middle;
  }
  return namesakes.first < kind->places.end ? counter->places[namesakes.first]
                                            : kind->end;
}

static int count_others(struct counter *counter, struct err *err) {
  const struct callgraph *const graph = counter->graph;
  const char *last_name = NULL; // all lines of a function share its name
  struct stretch namesakes = {0};
  size_t i_node = 0;

  for (size_t i = 0; i < graph->all_symbols->n_symbols; i++) {
    if (i_node < graph->n_symbols && graph->used->whole[i_node] == i) {
      i_node++;
      continue;
    }
    const char *const name = graph->all_symbols->symbols[i].name;
    if (name != last_name && find_namesakes(counter, name, &namesakes, err))
      return -1;
    last_name = name;
    counter->n_before[find_place(counter, namesakes, i,
                                 &counter->kinds[name[0] == '_'])]++;
  }
  return 0;
}

/** Let numbers in the listing count the symbols that are no nodes, too. */
static int number_among_all(struct callgraph *graph, struct err *err) {
  struct counter counter = {
      .graph = graph,
      .places = reallocarray(NULL, graph->n_nodes + 1, sizeof(*counter.places)),
      .n_before = calloc(graph->n_nodes + 1, sizeof(*counter.n_before)),
  };
  int rc = -1;

  if (!counter.places || !counter.n_before) {
    err_no_memory(err);
    goto out;
  }
  find_kind(&counter, false, 0);
  find_kind(&counter, true, counter.kinds[0].places.end);
  if (count_others(&counter, err))
    goto out;
  uint32_t n_others = 0;
  for (size_t i = 0; i < graph->n_nodes; i++) {
    n_others += counter.n_before[i];
    graph->nodes[graph->listing[i]].index += n_others;
  }
  rc = 0;
out:
  free(counter.places);
  free(counter.n_before);
  free(counter.found);
  map64_release(&counter.known);
  return rc;
}

int callgraph_list(struct callgraph *graph, struct err *err) {
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
  if (sort_idle(graph, &parts, err))
    goto out;
  merge_parts(graph, &parts);
  rc = graph->used ? number_among_all(graph, err) : 0;
out:
  free(parts.busy);
  free(parts.idle);
  return rc;
}
