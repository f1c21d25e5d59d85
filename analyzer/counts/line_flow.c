/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "counts/line_flow.h"

#include "counts/flow_data.h"
#include "solve/flow.h"

#include <stdlib.h>
#include <string.h>

// Limit of steps of the search for one function: enough for all functions that
// people or generators of programs write.
enum { STEPS_PER_PART = 64, STEPS_AT_LEAST = 1000000 };

/** Make room for a graph of this size. Returns 0 or -1 (no memory). */
static int grow(struct line_flow *graph, size_t n_nodes, size_t n_edges) {
  if (n_nodes > graph->max_nodes) {
    struct line_flow_node *nodes =
        reallocarray(graph->nodes, n_nodes, sizeof(*nodes));
    graph->nodes = nodes ? nodes : graph->nodes;
    uint32_t *first_in =
        reallocarray(graph->first_in, n_nodes + 1, sizeof(*first_in));
    graph->first_in = first_in ? first_in : graph->first_in;
    uint32_t *first_out =
        reallocarray(graph->first_out, n_nodes + 1, sizeof(*first_out));
    graph->first_out = first_out ? first_out : graph->first_out;
    uint32_t *path = reallocarray(graph->path, n_nodes, sizeof(*path));
    graph->path = path ? path : graph->path;
    uint32_t *joints = reallocarray(graph->joints, n_nodes, sizeof(*joints));
    graph->joints = joints ? joints : graph->joints;
    if (!nodes || !first_in || !first_out || !path || !joints)
      return -1;
  }
  if (n_edges > graph->max_edges) {
    uint32_t *in = reallocarray(graph->in, n_edges, sizeof(*in));
    graph->in = in ? in : graph->in;
    uint32_t *out = reallocarray(graph->out, n_edges, sizeof(*out));
    graph->out = out ? out : graph->out;
    struct line_flow_edge *edges =
        reallocarray(graph->edges, n_edges, sizeof(*edges));
    graph->edges = edges ? edges : graph->edges;
    if (!in || !out || !edges)
      return -1;
  }
  if (n_nodes > graph->max_nodes || n_edges > graph->max_edges) {
    if (n_nodes > graph->max_nodes)
      graph->max_nodes = n_nodes;
    if (n_edges > graph->max_edges)
      graph->max_edges = n_edges;
    // Each edge may be an arc, each reentry one more, and each node have one
    // to the next member of its row.
    free(graph->arcs);
    graph->arcs = reallocarray(NULL, 2 * graph->max_edges + graph->max_nodes,
                               sizeof(*graph->arcs));
    if (!graph->arcs) {
      graph->max_nodes = graph->max_edges = 0;
      return -1;
    }
  }
  return 0;
}

/** Sort edges by one end: counting sort, keeps the order among equals. */
static void sort_edges(struct line_flow *graph, bool by_target, uint32_t *first,
                       uint32_t *sorted) {
  const struct line_flow_edge *edges = graph->edges;
  const uint32_t n_ends = graph->n_nodes + 1;

  memset(first, 0, ((size_t)n_ends + 1) * sizeof(*first));
  for (uint32_t i = 0; i < graph->n_edges; i++)
    first[(by_target ? edges[i].to : edges[i].from) + 1]++;
  for (uint32_t i = 0; i < n_ends; i++)
    first[i + 1] += first[i];
  // Each start moves to the start of the next one; put them back afterwards.
  for (uint32_t i = 0; i < graph->n_edges; i++)
    sorted[first[by_target ? edges[i].to : edges[i].from]++] = i;
  memmove(first + 1, first, n_ends * sizeof(*first));
  first[0] = 0;
}

/**
 * Find the node that a node without lines is part of: the one that it alone
 * follows, or the one that that is part of. Such nodes (the end of a scope, in
 * optimised code) must not count as another line.
 *
 * owners  for each node its owner, often itself; in graph->first_in.
 */
static void find_owners(struct line_flow *graph, const struct arcline_edge *in,
                        uint32_t n_in) {
  const uint32_t exit = graph->n_nodes;
  uint32_t *owners = graph->first_in;
  uint32_t *only = graph->first_out; // the node that it follows, if only one
  uint32_t n_path;

  for (uint32_t n = 0; n <= exit; n++)
    only[n] = UINT32_MAX;
  for (uint32_t i = 0; i < n_in; i++)
    if (only[in[i].to] != in[i].from) // two outcomes may lead to one node
      only[in[i].to] = only[in[i].to] == UINT32_MAX ? in[i].from : exit;
  for (uint32_t n = 0; n <= exit; n++)
    owners[n] = n == exit || graph->counts[n].n_lines > 0 || only[n] >= exit
                    ? n
                    : UINT32_MAX;
  for (uint32_t n = 0; n < exit; n++) {
    uint32_t at = n;
    for (n_path = 0; owners[at] == UINT32_MAX; at = only[at]) {
      // During the search it is its own owner: reaching it again means a circle
      // of nodes without a line.
      owners[at] = at;
      graph->path[n_path++] = at;
    }
    for (uint32_t i = 0; i < n_path; i++)
      owners[graph->path[i]] = owners[at];
  }
}

/** Copy the edges, with nodes that have no line made part of others. */
static void copy_edges(struct line_flow *graph, const struct arcline_edge *in,
                       uint32_t n_in) {
  const uint32_t *owners = graph->first_in;

  find_owners(graph, in, n_in);
  graph->n_edges = 0;
  for (uint32_t i = 0; i < n_in; i++)
    if (owners[in[i].to] == in[i].to)
      graph->edges[graph->n_edges++] = (struct line_flow_edge){
          owners[in[i].from], in[i].to, in[i].kind, in[i].count};
}

/** The edge over which alone a call's node is followed by this one. */
static bool find_link(const struct line_flow *graph, uint32_t node,
                      uint32_t *out) {
  uint32_t n_in = 0, n_back = 0;

  for (uint32_t i = graph->first_in[node]; i < graph->first_in[node + 1]; i++) {
    const struct line_flow_edge *edge = &graph->edges[graph->in[i]];
    n_in += edge->kind != ARCLINE_EDGE_REENTRY;
    if (edge->kind == ARCLINE_EDGE_RETURN_TO && edge->from < graph->n_nodes)
      *out = graph->in[i], n_back++;
  }
  return n_in == 1 && n_back == 1;
}

/**
 * Find the rows: nodes that were one block of the source until it was cut at
 * its calls. A line that begins before such a cut and continues after it was
 * not entered twice.
 */
static void find_chains(struct line_flow *graph) {
  struct line_flow_node *nodes = graph->nodes;
  uint32_t link = 0;

  for (uint32_t n = 0; n <= graph->n_nodes; n++)
    nodes[n] = (struct line_flow_node){.chain = n};
  // At first next_arc is the next node of the row; 0 is none, as the entry does
  // not follow a call.
  for (uint32_t n = 1; n < graph->n_nodes; n++) {
    if (!find_link(graph, n, &link))
      continue;
    struct line_flow_node *from = &nodes[graph->edges[link].from];
    if (from->next_arc)
      continue;
    from->next_arc = n;
    nodes[n].link = link;
    nodes[n].is_done = true; // is not the first of its row
  }
  for (uint32_t n = 0; n < graph->n_nodes; n++) {
    uint32_t place = 0;
    if (nodes[n].is_done)
      continue;
    for (size_t next = nodes[n].next_arc; next; next = nodes[next].next_arc) {
      nodes[next].chain = n;
      nodes[next].place = ++place;
    }
  }
}

int line_flow_begin(struct line_flow *graph, const struct flow_data *flow,
                    const struct flow_func *func) {
  if (grow(graph, (size_t)func->n_nodes + 1, (size_t)func->n_edges + 1) != 0)
    return -1;
  graph->counts = flow->nodes + func->first_node;
  graph->n_nodes = func->n_nodes;
  graph->set = 0;
  graph->n_steps_left =
      STEPS_AT_LEAST +
      (uint64_t)STEPS_PER_PART * ((uint64_t)func->n_nodes + func->n_edges);
  copy_edges(graph, flow->edges + func->first_edge, func->n_edges);
  sort_edges(graph, true, graph->first_in, graph->in);
  sort_edges(graph, false, graph->first_out, graph->out);
  find_chains(graph);
  return 0;
}

static bool spend(struct line_flow *graph, uint64_t n_steps) {
  if (graph->n_steps_left < n_steps) {
    graph->n_steps_left = 0;
    return false;
  }
  graph->n_steps_left -= n_steps;
  return true;
}

static bool is_member(const struct line_flow *graph, uint32_t node) {
  return graph->nodes[node].set == graph->set;
}

/** Is it a member at whose end control is still on the line? */
static bool ends_on_line(const struct line_flow *graph, uint32_t node) {
  return is_member(graph, node) && !graph->nodes[node].is_left;
}

static void add_arc(struct line_flow *graph, uint32_t to, uint64_t count) {
  if (count > 0)
    graph->arcs[graph->n_arcs++] = (struct line_flow_arc){to, count};
}

/** Counts of control that enters and leaves a set. */
struct border {
  uint64_t n_entries;   /* over edges from other nodes, or calls */
  uint64_t n_reentries; /* by unknown ways */
  uint64_t n_abrupt;    /* left by unknown ways */
};

/**
 * Add the entries at a member and collect its arcs. The return of a call is no
 * entry into the node after it: see visit_head().
 *
 * next  the next member of its row, or NULL.
 */
static void visit_member(struct line_flow *graph, uint32_t member,
                         const uint32_t *next, struct border *border) {
  struct line_flow_node *node = &graph->nodes[member];
  const uint32_t exit = graph->n_nodes;

  for (uint32_t i = graph->first_in[member]; i < graph->first_in[member + 1];
       i++) {
    const uint32_t i_edge = graph->in[i];
    const struct line_flow_edge *edge = &graph->edges[i_edge];
    if (edge->kind == ARCLINE_EDGE_REENTRY)
      border->n_reentries += edge->count;
    else if (!ends_on_line(graph, edge->from) &&
             !(node->place > 0 && i_edge == node->link))
      border->n_entries += edge->count;
  }
  node->next_arc = graph->n_arcs;
  for (uint32_t i = graph->first_out[member]; i < graph->first_out[member + 1];
       i++) {
    const struct line_flow_edge *edge = &graph->edges[graph->out[i]];
    if (edge->kind == ARCLINE_EDGE_ABRUPT) {
      border->n_abrupt += edge->count;
      add_arc(graph, exit, edge->count);
    } else if (edge->to != exit && !node->is_left &&
               is_member(graph, edge->to)) {
      add_arc(graph, edge->to, edge->count);
    }
  }
  // Over the calls in between, which are on other lines.
  if (next && !node->is_left && graph->nodes[*next].place != node->place + 1)
    add_arc(graph, *next, graph->edges[graph->nodes[*next].link].count);
  node->end_arc = graph->n_arcs;
}

/**
 * A line that begins after a call belongs to the same block of the source as
 * the code before the call. So it is entered when the block is; unless the
 * block is entered from the line itself, which then only went to the call and
 * back: if (a &&
 *             call())
 * A call that returned more often than the block was entered is a fork(), which
 * returned in the child, too.
 *
 * first  first member of its row, not at its head.
 */
static void visit_head(struct line_flow *graph, uint32_t first,
                       struct border *border) {
  const uint32_t head = graph->nodes[first].chain;
  const uint64_t n_arrived =
      graph->edges[graph->nodes[first].link].count; // after all calls
  uint64_t n_entries = 0, n_begun = 0;

  for (uint32_t i = graph->first_in[head]; i < graph->first_in[head + 1]; i++) {
    const struct line_flow_edge *edge = &graph->edges[graph->in[i]];
    n_begun += edge->count;
    if (!ends_on_line(graph, edge->from))
      n_entries += edge->count;
  }
  border->n_entries += n_entries < n_arrived ? n_entries : n_arrived;
  border->n_entries += n_begun < n_arrived ? n_arrived - n_begun : 0;
  graph->nodes[head].next_arc = graph->n_arcs;
  add_arc(graph, first, n_arrived);
  graph->nodes[head].end_arc = graph->n_arcs;
}

/**
 * If several ways meet in a node without a line (optimised code has such at the
 * end of a scope), it is unknown which of them continued to the line. Those
 * from the line itself are assumed to, as far as there were any: they do not
 * enter the line, though each may be an iteration of it.
 */
static void visit_joint(struct line_flow *graph, uint32_t joint,
                        struct border *border) {
  uint64_t n_own = 0, n_arrived = 0;

  for (uint32_t i = graph->first_in[joint]; i < graph->first_in[joint + 1];
       i++) {
    const struct line_flow_edge *edge = &graph->edges[graph->in[i]];
    if (ends_on_line(graph, edge->from))
      n_own += edge->count;
  }
  graph->nodes[joint].next_arc = graph->n_arcs;
  for (uint32_t i = graph->first_out[joint]; i < graph->first_out[joint + 1];
       i++) {
    const struct line_flow_edge *edge = &graph->edges[graph->out[i]];
    if (edge->to != graph->n_nodes && is_member(graph, edge->to)) {
      n_arrived += edge->count;
      add_arc(graph, edge->to, edge->count);
    }
  }
  graph->nodes[joint].end_arc = graph->n_arcs;
  border->n_entries += n_own < n_arrived ? n_arrived - n_own : 0;
}

/** Collect the arcs from EXIT, the source of the unknown ways. */
static void visit_exit(struct line_flow *graph) {
  const uint32_t exit = graph->n_nodes;
  struct line_flow_node *node = &graph->nodes[exit];

  node->next_arc = graph->n_arcs;
  for (uint32_t i = graph->first_out[exit]; i < graph->first_out[exit + 1];
       i++) {
    const struct line_flow_edge *edge = &graph->edges[graph->out[i]];
    if (edge->kind == ARCLINE_EDGE_REENTRY && edge->to != exit &&
        is_member(graph, edge->to))
      add_arc(graph, edge->to, edge->count);
  }
  node->end_arc = graph->n_arcs;
  node->is_done = false;
  node->path = 0;
}

/**
 * Subtract the loop that the present arc of the last node on the path closes
 * from the counts, and shorten the path up to its first arc without a count.
 *
 * Returns the number of iterations.
 */
static uint64_t subtract_loop(struct line_flow *graph, uint32_t head,
                              size_t *n_path) {
  struct line_flow_node *nodes = graph->nodes;
  const size_t start = nodes[head].path - 1;
  uint64_t count = UINT64_MAX;
  size_t keep = *n_path;

  for (size_t i = start; i < *n_path; i++) {
    const uint64_t left = graph->arcs[nodes[graph->path[i]].next_arc].left;
    if (left < count)
      count = left;
  }
  for (size_t i = *n_path; i-- > start;) {
    struct line_flow_arc *arc = &graph->arcs[nodes[graph->path[i]].next_arc];
    arc->left -= count;
    if (arc->left == 0)
      keep = i + 1;
  }
  for (size_t i = keep; i < *n_path; i++)
    nodes[graph->path[i]].path = 0;
  *n_path = keep;
  return count;
}

/**
 * Count iterations of the loops that begin at a node: follow arcs that have
 * counts left until one leads back to the path. Arcs that are used up, and
 * nodes that lead to no loop, are never tried again; so the search as a whole
 * takes no more steps than arcs times the length of the longest path.
 */
static uint64_t count_loops(struct line_flow *graph, uint32_t start) {
  struct line_flow_node *nodes = graph->nodes;
  uint64_t count = 0;
  size_t n_path = 0;

  if (nodes[start].is_done)
    return 0;
  graph->path[n_path++] = start;
  nodes[start].path = n_path;
  while (n_path > 0 && spend(graph, 1)) {
    struct line_flow_node *node = &nodes[graph->path[n_path - 1]];
    if (node->next_arc == node->end_arc) {
      node->is_done = true;
      node->path = 0;
      n_path--;
      continue;
    }
    const struct line_flow_arc *arc = &graph->arcs[node->next_arc];
    if (arc->left == 0 || nodes[arc->to].is_done) {
      node->next_arc++;
    } else if (nodes[arc->to].path) {
      spend(graph, n_path - nodes[arc->to].path);
      count += subtract_loop(graph, arc->to, &n_path);
    } else {
      graph->path[n_path++] = arc->to;
      nodes[arc->to].path = n_path;
    }
  }
  return count;
}

static uint64_t estimate(const struct line_flow *graph, const uint32_t *members,
                         size_t n_members) {
  uint64_t count = 0;

  for (size_t i = 0; i < n_members; i++)
    if (graph->counts[members[i]].count > count)
      count = graph->counts[members[i]].count;
  return count;
}

/** Add a node to the present set. */
static void join(struct line_flow *graph, uint32_t member) {
  struct line_flow_node *node = &graph->nodes[member];

  node->set = graph->set;
  node->is_left = false;
  node->is_done = false;
  node->path = 0;
  spend(graph, (uint64_t)graph->first_in[member + 1] - graph->first_in[member] +
                   graph->first_out[member + 1] - graph->first_out[member] + 1);
}

/** Add the joints before a member. */
static void join_joints(struct line_flow *graph, uint32_t member) {
  for (uint32_t i = graph->first_in[member]; i < graph->first_in[member + 1];
       i++) {
    const uint32_t from = graph->edges[graph->in[i]].from;
    if (from == graph->n_nodes || graph->counts[from].n_lines > 0 ||
        is_member(graph, from))
      continue;
    join(graph, from);
    graph->joints[graph->n_joints++] = from;
  }
}

uint64_t line_flow_count(struct line_flow *graph, const uint32_t *members,
                         const bool *left, size_t n_members) {
  const struct line_flow_node *nodes = graph->nodes;
  const uint32_t exit = graph->n_nodes;
  struct border border = {0};

  graph->set++;
  graph->n_arcs = 0;
  graph->n_joints = 0;
  for (size_t i = 0; i < n_members; i++) {
    join(graph, members[i]);
    if (nodes[members[i]].place > 0)
      join(graph, nodes[members[i]].chain);
  }
  for (size_t i = 0; i < n_members; i++) {
    graph->nodes[members[i]].is_left = left[i];
    join_joints(graph, members[i]);
  }
  if (graph->n_steps_left == 0)
    return estimate(graph, members, n_members);
  for (size_t i = 0; i < graph->n_joints; i++)
    visit_joint(graph, graph->joints[i], &border);
  for (size_t i = 0; i < n_members; i++) {
    const uint32_t chain = nodes[members[i]].chain;
    const bool has_next =
        i + 1 < n_members && nodes[members[i + 1]].chain == chain;
    if (nodes[members[i]].place > 0 &&
        (i == 0 || nodes[members[i - 1]].chain != chain))
      visit_head(graph, members[i], &border);
    visit_member(graph, members[i], has_next ? &members[i + 1] : NULL, &border);
  }
  // Control that left abruptly and returned by an unknown way (an exception
  // caught on the same line, setjmp) never left the line.
  uint64_t count = border.n_entries;
  if (border.n_reentries > border.n_abrupt)
    count += border.n_reentries - border.n_abrupt;
  graph->nodes[exit].is_done = true;
  if (border.n_reentries > 0 && border.n_abrupt > 0) {
    spend(graph, (uint64_t)graph->first_out[exit + 1] - graph->first_out[exit]);
    visit_exit(graph);
  }
  if (graph->n_arcs > 0)
    for (size_t i = 0; i < n_members; i++)
      count += count_loops(graph, members[i]);
  return graph->n_steps_left ? count : estimate(graph, members, n_members);
}

void line_flow_release(struct line_flow *graph) {
  free(graph->nodes);
  free(graph->edges);
  free(graph->first_in);
  free(graph->in);
  free(graph->first_out);
  free(graph->out);
  free(graph->arcs);
  free(graph->path);
  free(graph->joints);
  *graph = (struct line_flow){0};
}
