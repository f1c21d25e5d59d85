/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/callgraph.h"

#include "base/array.h"
#include "base/err.h"
#include "base/trace.h"
#include "profile/callgraph_list.h"

#include <inttypes.h>
#include <stdlib.h>

// --- Memory ---

static void release_groups(struct cg_groups *groups) {
  free(groups->arcs);
  free(groups->starts);
}

void callgraph_release(struct callgraph *graph) {
  free(graph->nodes);
  free(graph->arcs);
  release_groups(&graph->by_parent);
  release_groups(&graph->by_child);
  release_groups(&graph->stacks_by_parent);
  release_groups(&graph->stacks_by_child);
  free(graph->members);
  free(graph->by_name);
  free(graph->listing);
  if (graph->used)
    used_symbols_release(graph->used);
  free(graph->used);
  *graph = (struct callgraph){0};
}

/** Group arcs by one of their ends, by counting; arcs of a group keep their
 * order. */
static int group_arcs(const struct profile_arc *arcs, size_t n_arcs,
                      size_t n_symbols, bool is_by_parent,
                      struct cg_groups *out, struct err *err) {
  out->arcs = calloc(n_arcs + 1, sizeof(*out->arcs));
  out->starts = calloc(n_symbols + 2, sizeof(*out->starts));
  if (!out->arcs || !out->starts)
    return err_no_memory(err);
  // starts[i + 2] counts group i, then starts[i + 1] is the index of its next
  // arc; at the end starts[i] is the group's first one.
  for (size_t i = 0; i < n_arcs; i++)
    out->starts[(is_by_parent ? arcs[i].parent : arcs[i].child) + 2]++;
  for (size_t i = 2; i < n_symbols + 2; i++)
    out->starts[i] += out->starts[i - 1];
  for (size_t i = 0; i < n_arcs; i++) {
    const uint32_t group = is_by_parent ? arcs[i].parent : arcs[i].child;
    out->arcs[out->starts[group + 1]++] = (uint32_t)i;
  }
  return 0;
}

static int group_all_arcs(struct callgraph *graph, struct err *err) {
  const struct profile *const profile = graph->profile;
  const size_t n = graph->n_symbols;

  return group_arcs(profile->arcs, profile->n_arcs, n, true, &graph->by_parent,
                    err) ||
                 group_arcs(profile->arcs, profile->n_arcs, n, false,
                            &graph->by_child, err) ||
                 group_arcs(profile->stack_arcs, profile->n_stack_arcs, n, true,
                            &graph->stacks_by_parent, err) ||
                 group_arcs(profile->stack_arcs, profile->n_stack_arcs, n,
                            false, &graph->stacks_by_child, err)
             ? -1
             : 0;
}

// --- Cycles ---

/** State of the search for one symbol. */
struct visit {
  uint32_t order;       // 1 for the first one that was finished; 0: not yet
  uint32_t depth;       // on the path, from 1; 0: not there
  uint32_t head;        // leads to the head of its cycle; itself: is one
  uint32_t next_member; // of the same cycle; NO_SYMBOL: the last
  uint32_t last_member; // of a head
  bool is_seen;
};

#define NO_SYMBOL UINT32_MAX

struct step {
  uint32_t symbol;
  uint32_t n_arcs_left; // the newest arc is followed first
};

/**
 * Depth-first search for strongly connected components.
 *
 * The path contains the symbols being visited. Reaching one that is seen but
 * not finished closes a cycle: all symbols above it on the path join the cycle
 * it is in. Path entries that head a cycle, or are in none, are in a separate
 * stack, so that each is joined once and the whole is linear.
 */
struct search {
  const struct callgraph *graph;
  struct visit *visits;
  struct step *path;
  uint32_t path_length;
  uint32_t *heads; // depths of path entries that are their own heads
  uint32_t n_heads;
  uint32_t n_finished;
};

static void enter(struct search *search, uint32_t symbol) {
  const uint32_t *starts = search->graph->by_parent.starts;
  struct visit *visit = &search->visits[symbol];

  search->path[search->path_length++] = (struct step){
      .symbol = symbol, .n_arcs_left = starts[symbol + 1] - starts[symbol]};
  visit->is_seen = true;
  visit->depth = search->path_length;
  search->heads[search->n_heads++] = search->path_length;
}

/** The head of the cycle that a symbol is in, as found so far. */
static uint32_t find_head(struct visit *visits, uint32_t symbol) {
  while (visits[symbol].head != symbol) {
    // Halving the way at each look-up keeps it short.
    visits[symbol].head = visits[visits[symbol].head].head;
    symbol = visits[symbol].head;
  }
  return symbol;
}

/** An arc leads to a symbol that is seen but not finished. */
static void close_cycle(struct search *search, uint32_t symbol) {
  struct visit *visits = search->visits;
  uint32_t head = find_head(visits, symbol);
  // A symbol that has left the path has its head's position.
  uint32_t depth =
      visits[symbol].depth ? visits[symbol].depth : visits[head].depth;
  uint32_t first = search->n_heads;

  while (first > 0 && search->heads[first - 1] > depth)
    first--;
  for (uint32_t i = first; i < search->n_heads; i++) {
    uint32_t joining = search->path[search->heads[i] - 1].symbol;
    visits[joining].head = head;
    visits[visits[head].last_member].next_member = joining;
    visits[head].last_member = visits[joining].last_member;
  }
  search->n_heads = first;
}

static void leave(struct search *search) {
  uint32_t symbol = search->path[search->path_length - 1].symbol;
  struct visit *visits = search->visits;

  search->path_length--;
  visits[symbol].depth = 0;
  if (visits[symbol].head != symbol)
    return;
  search->n_heads--;
  search->n_finished++;
  for (uint32_t member = symbol; member != NO_SYMBOL;
       member = visits[member].next_member)
    visits[member].order = search->n_finished;
}

static void search_from(struct search *search, uint32_t start) {
  const struct cg_groups *groups = &search->graph->by_parent;

  enter(search, start);
  while (search->path_length > 0) {
    struct step *step = &search->path[search->path_length - 1];
    if (step->n_arcs_left == 0) {
      leave(search);
      continue;
    }
    step->n_arcs_left--;
    uint32_t i_arc =
        groups->arcs[groups->starts[step->symbol] + step->n_arcs_left];
    uint32_t child = search->graph->profile->arcs[i_arc].child;
    if (!search->visits[child].is_seen)
      enter(search, child);
    else if (search->visits[child].order == 0)
      close_cycle(search, child);
  }
}

/** Number cycles by the address of their heads, and list their members. */
static void number_cycles(struct callgraph *graph, const struct visit *visits) {
  uint32_t n_members = 0;

  for (size_t i = 0; i < graph->n_symbols; i++) {
    if (visits[i].head != i || visits[i].next_member == NO_SYMBOL)
      continue;
    struct cg_node *cycle = &graph->nodes[graph->n_symbols + graph->n_cycles];
    *cycle = (struct cg_node){.cycle = (uint32_t)++graph->n_cycles,
                              .first_member = n_members};
    for (uint32_t member = (uint32_t)i; member != NO_SYMBOL;
         member = visits[member].next_member) {
      graph->nodes[member].cycle = cycle->cycle;
      graph->members[n_members++] = member;
    }
    cycle->n_members = n_members - cycle->first_member;
  }
  graph->n_nodes = graph->n_symbols + graph->n_cycles;
}

/** Find cycles; order gets the symbols, callees before their callers. */
static int find_cycles(struct callgraph *graph, uint32_t *order,
                       struct err *err) {
  size_t n = graph->n_symbols;
  int rc = -1;
  struct search search = {
      .graph = graph,
      .visits = reallocarray(NULL, n + 1, sizeof(*search.visits)),
      .path = reallocarray(NULL, n + 1, sizeof(*search.path)),
      .heads = reallocarray(NULL, n + 1, sizeof(*search.heads)),
  };
  uint32_t *starts = calloc(n + 2, sizeof(*starts));
  if (!search.visits || !search.path || !search.heads || !starts) {
    err_no_memory(err);
    goto out;
  }
  for (uint32_t i = 0; i < n; i++)
    search.visits[i] =
        (struct visit){.head = i, .last_member = i, .next_member = NO_SYMBOL};
  for (uint32_t i = 0; i < n; i++)
    if (!search.visits[i].is_seen)
      search_from(&search, i);
  number_cycles(graph, search.visits);

  // Sort by order of finishing, members of a cycle by address: by counting.
  for (size_t i = 0; i < n; i++)
    starts[search.visits[i].order + 1]++;
  for (size_t i = 1; i < n + 2; i++)
    starts[i] += starts[i - 1];
  for (uint32_t i = 0; i < n; i++)
    order[starts[search.visits[i].order]++] = i;
  for (size_t i = 0; i < n && trace_is_on(TRACE_ORDER); i++)
    trace_print(TRACE_ORDER, "number %" PRIu32 ": %s",
                search.visits[order[i]].order,
                graph->profile->symtab->symbols[order[i]].name);
  rc = 0;
out:
  free(search.visits);
  free(search.path);
  free(search.heads);
  free(starts);
  return rc;
}

static void count_cycle_calls(struct callgraph *graph) {
  const struct profile *profile = graph->profile;

  for (size_t i = 0; i < profile->n_arcs; i++) {
    const struct profile_arc *arc = &profile->arcs[i];
    if (graph->nodes[arc->child].cycle == 0 || arc->parent == arc->child)
      continue;
    struct cg_node *cycle = &graph->nodes[callgraph_head(graph, arc->child)];
    if (callgraph_is_internal(graph, arc))
      cycle->self_calls += arc->count;
    else
      cycle->calls += arc->count;
  }
  for (size_t i = 0; i < graph->n_symbols; i++)
    if (graph->nodes[i].cycle)
      graph->nodes[callgraph_head(graph, i)].calls +=
          profile->counts[i].outside_calls;
}

// --- Propagation ---

double callgraph_outside_part(const struct callgraph *graph, size_t i_symbol) {
  const struct profile *profile = graph->profile;
  uint64_t n_outside = profile->counts[i_symbol].outside_calls;
  uint64_t calls = graph->nodes[callgraph_head(graph, i_symbol)].calls;

  if (n_outside == 0 || calls == 0 ||
      !symspec_allows(profile->filters, SYMSPEC_TIME,
                      profile->symtab->symbols[i_symbol].vaddr))
    return 0;
  return (double)n_outside / (double)calls;
}

/** The part of a callee's time that belongs to the calls of an arc. calls: the
 * number that its count is a part of. */
static double part_of(const struct callgraph *graph,
                      const struct profile_arc *arc, uint64_t calls) {
  const double weight = graph->profile->counts[arc->child].weight;

  if (weight > 0 && graph->nodes[arc->child].cycle == 0)
    return arc->weight / weight;
  return calls ? (double)arc->count / (double)calls : 0;
}

/** Add to a node the fraction that it inherits through the arcs to one symbol;
 * calls is the sum that their counts are parts of. */
static void inherit_through(struct callgraph *graph, size_t i_symbol,
                            uint64_t calls, struct cg_node *heir) {
  const struct cg_groups *groups = &graph->by_child;

  for (uint32_t i = groups->starts[i_symbol + 1]; i > groups->starts[i_symbol];
       i--) {
    const struct profile_arc *arc = &graph->profile->arcs[groups->arcs[i - 1]];
    if (callgraph_is_internal(graph, arc))
      continue;
    const struct cg_node *parent = &graph->nodes[arc->parent];
    heir->is_printed |= parent->is_printed;
    heir->fraction += parent->fraction * part_of(graph, arc, calls);
  }
  heir->fraction += callgraph_outside_part(graph, i_symbol);
}

/** Set the fraction and visibility that a symbol, or its cycle, has from its
 * callers. */
static void inherit(struct callgraph *graph, size_t i_symbol) {
  size_t i_head = callgraph_head(graph, i_symbol);
  struct cg_node *head = &graph->nodes[i_head];

  if (i_head == i_symbol) {
    inherit_through(graph, i_symbol, head->calls, head);
    return;
  }
  const uint32_t *members = &graph->members[head->first_member];
  for (uint32_t i = 0; i < head->n_members; i++)
    inherit_through(graph, members[i], head->calls, head);
  for (uint32_t i = 0; i < head->n_members; i++) {
    graph->nodes[members[i]].is_printed = head->is_printed;
    graph->nodes[members[i]].fraction = head->fraction;
  }
}

/** Find the nodes that are printed, and the part of their time that counts:
 * from callers to callees. */
static void propagate_down(struct callgraph *graph, const uint32_t *order) {
  const struct profile *profile = graph->profile;
  size_t last_head = SIZE_MAX;

  for (size_t i = graph->n_symbols; i-- > 0;) {
    struct cg_node *node = &graph->nodes[order[i]];
    uint64_t vaddr = profile->symtab->symbols[order[i]].vaddr;
    size_t head = callgraph_head(graph, order[i]);
    if (head != last_head)
      inherit(graph, order[i]);
    last_head = head;
    if (!node->is_printed)
      node->is_printed = symspec_allows(profile->filters, SYMSPEC_GRAPH, vaddr);
    else if (symspec_is_excluded(profile->filters, SYMSPEC_GRAPH, vaddr) &&
             !symspec_is_included(profile->filters, SYMSPEC_GRAPH, vaddr))
      node->is_printed = false;
    if (node->fraction == 0)
      node->fraction =
          symspec_allows(profile->filters, SYMSPEC_TIME, vaddr) ? 1 : 0;
    else if (symspec_is_excluded(profile->filters, SYMSPEC_TIME, vaddr) &&
             !symspec_is_included(profile->filters, SYMSPEC_TIME, vaddr))
      node->fraction = 0;
    node->self_share = node->ticks * node->fraction;
    graph->total_ticks += node->self_share;
  }
}

static void sum_cycle_ticks(struct callgraph *graph) {
  for (size_t i = graph->n_symbols; i < graph->n_nodes; i++) {
    struct cg_node *cycle = &graph->nodes[i];
    for (uint32_t j = 0; j < cycle->n_members; j++) {
      const struct cg_node *member =
          &graph->nodes[graph->members[cycle->first_member + j]];
      if (member->fraction != 0)
        cycle->ticks += member->ticks;
    }
    cycle->self_share = cycle->fraction * cycle->ticks;
  }
}

/** Give a caller its share of the time of everything it calls. */
static void collect_time(struct callgraph *graph, uint32_t i_parent) {
  const struct cg_groups *groups = &graph->by_parent;
  struct cg_node *parent = &graph->nodes[i_parent];
  struct cg_node *parent_head = &graph->nodes[callgraph_head(graph, i_parent)];

  if (parent->fraction == 0)
    return;
  for (uint32_t i = groups->starts[i_parent + 1]; i > groups->starts[i_parent];
       i--) {
    uint32_t i_arc = groups->arcs[i - 1];
    const struct profile_arc *arc = &graph->profile->arcs[i_arc];
    if (graph->nodes[arc->child].fraction == 0 ||
        callgraph_is_internal(graph, arc))
      continue;
    const struct cg_node *child =
        &graph->nodes[callgraph_head(graph, arc->child)];
    const double part = part_of(graph, arc, child->calls);
    if (part == 0)
      continue;
    struct cg_arc *shares = &graph->arcs[i_arc];
    shares->self_share = child->ticks * part;
    shares->child_share = child->child_ticks * part;
    double share = shares->self_share + shares->child_share;
    parent->child_ticks += share;
    parent->child_share += parent->fraction * share;
    shares->self_share *= parent->fraction;
    shares->child_share *= parent->fraction;
    if (parent_head != parent) {
      parent_head->child_ticks += share;
      parent_head->child_share += parent->fraction * share;
    }
  }
}

/** Choose the symbols that are nodes. */
static int choose_symbols(const struct profile *profile, unsigned flags,
                          struct callgraph *out, struct err *err) {
  out->profile = profile;
  out->all_symbols = profile->symtab;
  if (flags & CALLGRAPH_ALL_SYMBOLS)
    return 0;
  // On its own, as the profile in it points to the table in it.
  struct used_symbols *const used = malloc(sizeof(*used));
  if (!used)
    return err_no_memory(err);
  const int rc = used_symbols_take(profile, used, err);
  if (rc || !used->whole) {
    free(used);
    return rc;
  }
  out->used = used;
  out->profile = &used->profile;
  return 0;
}

static int build(struct callgraph *graph, uint32_t *order, struct err *err) {
  const struct profile *const profile = graph->profile;

  for (size_t i = 0; i < graph->n_symbols; i++) {
    graph->nodes[i].ticks = profile->counts[i].ticks;
    graph->nodes[i].calls = profile->counts[i].calls;
    graph->nodes[i].self_calls = profile->counts[i].self_calls;
  }
  if (group_all_arcs(graph, err) || find_cycles(graph, order, err))
    return -1;
  count_cycle_calls(graph);
  propagate_down(graph, order);
  sum_cycle_ticks(graph);
  for (size_t i = 0; i < graph->n_symbols; i++)
    collect_time(graph, order[i]);
  return callgraph_list(graph, err);
}

int callgraph_build(const struct profile *profile, unsigned flags,
                    struct callgraph *out, struct err *err) {
  *out = (struct callgraph){0};
  if (choose_symbols(profile, flags, out, err))
    return -1;
  const size_t n_symbols = out->profile->symtab->n_symbols;
  out->n_symbols = out->n_nodes = n_symbols;
  // No more than half as many cycles as symbols.
  out->nodes = array_zeroed(n_symbols + n_symbols / 2 + 1, sizeof(*out->nodes));
  out->arcs = calloc(profile->n_arcs + 1, sizeof(*out->arcs));
  out->members = calloc(n_symbols + 1, sizeof(*out->members));
  out->by_name = calloc(n_symbols + 1, sizeof(*out->by_name));
  out->listing = calloc(n_symbols + n_symbols / 2 + 1, sizeof(*out->listing));
  uint32_t *const order = calloc(n_symbols + 1, sizeof(*order));
  int rc = -1;
  if (!out->nodes || !out->arcs || !out->members || !out->by_name ||
      !out->listing || !order)
    err_no_memory(err);
  else
    rc = build(out, order, err);
  free(order);
  if (rc)
    callgraph_release(out);
  return rc;
}
