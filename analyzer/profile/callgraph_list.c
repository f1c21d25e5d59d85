/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/callgraph_list.h"

#include "base/array.h"
#include "base/err.h"
#include "base/map64.h"
#include "base/sort_text.h"
#include "base/sort_u64.h"
#include "profile/callgraph.h"

#include <stdlib.h>
#include <string.h>

static double share_of(const struct cg_node *node) {
  return node->self_share + node->child_share;
}

static bool is_cycle(const struct callgraph *graph, uint32_t i_node) {
  return i_node >= graph->n_symbols;
}

static const char *name_of(const struct callgraph *graph, uint32_t i_symbol) {
  return graph->profile->symtab->symbols[i_symbol].name;
}

// --- Order ---

static int sort_names(struct callgraph *graph, struct err *err) {
  const char **const names =
      reallocarray(NULL, graph->n_symbols + 1, sizeof(*names));

  for (uint32_t i = 0; names && i < graph->n_symbols; i++)
    names[i] = name_of(graph, i);
  const int rc =
      names ? sort_texts(names, graph->n_symbols, graph->by_name) : -1;
  free(names);
  return rc ? err_no_memory(err) : 0;
}

/** Order of nodes of the same name, kind and share: the most calls first.
 * Cycles keep the order of their numbers. */
static uint64_t key_of_calls(const struct callgraph *graph, uint32_t i_node) {
  return is_cycle(graph, i_node) ? 0 : ~graph->nodes[i_node].calls;
}

/** Cycles first, then names, then those with an underscore. */
static uint64_t key_of_kind(const struct callgraph *graph, uint32_t i_node) {
  if (is_cycle(graph, i_node))
    return 0;
  return name_of(graph, i_node)[0] == '_' ? 2 : 1;
}

/** The largest share of time first. */
static uint64_t key_of_share(const struct callgraph *graph, uint32_t i_node) {
  return ~sort_key_of(share_of(&graph->nodes[i_node]));
}

typedef uint64_t node_key(const struct callgraph *graph, uint32_t i_node);

/** After the name, which is the first sort; the last key decides. */
static node_key *const keys[] = {key_of_calls, key_of_kind, key_of_share};

static int sort_nodes(const struct callgraph *graph, struct sort_pair *pairs,
                      struct err *err) {
  for (size_t i = 0; i < graph->n_nodes; i++)
    pairs[i].value = i < graph->n_symbols ? graph->by_name[i] : i;
  for (size_t i_key = 0; i_key < sizeof(keys) / sizeof(keys[0]); i_key++) {
    for (size_t i = 0; i < graph->n_nodes; i++)
      pairs[i].key = keys[i_key](graph, (uint32_t)pairs[i].value);
    if (sort_pairs(pairs, graph->n_nodes))
      return err_no_memory(err);
  }
  return 0;
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
  uint32_t end; // the place in the listing after the last one
};

/** Counter of the symbols that are no nodes. All of them are idle. */
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

/** Find the nodes of a name; an empty range if there are none, at the place
 * where they would be. */
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

/** Place of a symbol in the listing. Of equal names, the lower address is
 * first. */
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
  struct sort_pair *const pairs =
      reallocarray(NULL, graph->n_nodes + 1, sizeof(*pairs));

  if (!pairs)
    return err_no_memory(err);
  const int rc = sort_names(graph, err) || sort_nodes(graph, pairs, err);
  for (uint32_t i = 0; rc == 0 && i < graph->n_nodes; i++) {
    graph->listing[i] = (uint32_t)pairs[i].value;
    graph->nodes[pairs[i].value].index = i + 1;
  }
  free(pairs);
  if (rc)
    return -1;
  return graph->used ? number_among_all(graph, err) : 0;
}
