/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Decoding and solving of flow graphs and plans (solve/flow.h): for any
 * spanning tree without counters, solving gives the counts of a real run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "solve/flow.h"

enum { MAX_NODES = 60, MAX_EDGES = 400, N_GRAPHS = 2000, N_WALKS = 50 };

/* A graph with the counts of walks through it. */
struct graph {
  uint32_t n_nodes; /* without EXIT */
  uint32_t n_edges;
  struct arcline_edge edges[MAX_EDGES];
  uint64_t truth[MAX_EDGES];
};

static uint64_t state = 1;

/* xorshift64: the same graphs on every run. */
static uint32_t pick(uint32_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 32) % n;
}

static void add_edge(struct graph *graph, uint32_t from, uint32_t to) {
  graph->edges[graph->n_edges++] =
      (struct arcline_edge){.from = from, .to = to, .counter = 0};
}

/* Walk from EXIT to EXIT and count the edges on the way. */
static void walk(struct graph *graph, uint64_t weight) {
  uint32_t at = graph->n_nodes;

  for (unsigned n_steps = 0;; n_steps++) {
    const uint32_t start = pick(graph->n_edges);
    uint32_t taken = graph->n_edges;
    for (uint32_t k = 0; k < graph->n_edges; k++) {
      const uint32_t i = (start + k) % graph->n_edges;
      if (graph->edges[i].from != at)
        continue;
      taken = i;
      // Every node has an edge to EXIT: after a while take it.
      if (n_steps < 1000 || graph->edges[i].to == graph->n_nodes)
        break;
    }
    graph->truth[taken] += weight;
    at = graph->edges[taken].to;
    if (at == graph->n_nodes)
      break;
  }
}

static uint32_t find_root(uint32_t *parents, uint32_t node) {
  while (parents[node] != node)
    node = parents[node] = parents[parents[node]];
  return node;
}

/* Put counters on all edges but a random spanning tree. */
static void place_counters(struct graph *graph) {
  uint32_t parents[MAX_NODES + 1];
  const uint32_t start = pick(graph->n_edges);

  for (uint32_t i = 0; i <= graph->n_nodes; i++)
    parents[i] = i;
  for (uint32_t k = 0; k < graph->n_edges; k++) {
    struct arcline_edge *edge = &graph->edges[(start + k) % graph->n_edges];
    const uint32_t a = find_root(parents, edge->from);
    const uint32_t b = find_root(parents, edge->to);
    if (a != b) {
      parents[a] = b;
      edge->counter = ARCLINE_NO_COUNTER;
    }
  }
}

static void make_graph(struct graph *graph) {
  *graph = (struct graph){.n_nodes = 1 + pick(MAX_NODES)};
  const uint32_t exit = graph->n_nodes;
  add_edge(graph, exit, 0);
  for (uint32_t i = 0; i < graph->n_nodes; i++)
    add_edge(graph, i, exit);
  for (uint32_t n = pick(4 * graph->n_nodes + 1); n > 0; n--)
    add_edge(graph, pick(graph->n_nodes), pick(graph->n_nodes));
  for (uint32_t n = pick(5); n > 0; n--) // reentries
    add_edge(graph, exit, pick(graph->n_nodes));
  for (uint32_t n = 0; n < N_WALKS; n++)
    walk(graph, n % 10 == 0 ? (uint64_t)1 << 55 : 1);
  place_counters(graph);
}

static void read_counters(struct graph *graph) {
  for (uint32_t i = 0; i < graph->n_edges; i++)
    graph->edges[i].count =
        graph->edges[i].counter == ARCLINE_NO_COUNTER ? 0 : graph->truth[i];
}

static void test_solved_is_truth(void **unused) {
  static struct graph graph;
  struct arcline_flow_node nodes[MAX_NODES + 1];

  (void)unused;
  for (unsigned n = 0; n < N_GRAPHS; n++) {
    make_graph(&graph);
    read_counters(&graph);
    assert_int_equal(
        solve_flow_edges(graph.edges, graph.n_edges, nodes, graph.n_nodes), 0);
    for (uint32_t i = 0; i < graph.n_edges; i++)
      assert_int_equal(graph.edges[i].count, graph.truth[i]);
  }
}

static void test_one_counter_too_few(void **unused) {
  static struct graph graph;
  struct arcline_flow_node nodes[MAX_NODES + 1];
  unsigned n_tried = 0;

  (void)unused;
  for (unsigned n = 0; n < N_GRAPHS; n++) {
    make_graph(&graph);
    const uint32_t i = pick(graph.n_edges);
    if (graph.edges[i].counter == ARCLINE_NO_COUNTER)
      continue;
    graph.edges[i].counter = ARCLINE_NO_COUNTER;
    read_counters(&graph);
    assert_int_equal(
        solve_flow_edges(graph.edges, graph.n_edges, nodes, graph.n_nodes), -1);
    n_tried++;
  }
  assert_true(n_tried > N_GRAPHS / 4);
}

static void test_more_counters_than_needed(void **unused) {
  static struct graph graph;
  struct arcline_flow_node nodes[MAX_NODES + 1];

  (void)unused;
  for (unsigned n = 0; n < N_GRAPHS; n++) {
    make_graph(&graph);
    for (uint32_t k = pick(graph.n_edges + 1); k > 0; k--)
      graph.edges[pick(graph.n_edges)].counter = 0;
    read_counters(&graph);
    assert_int_equal(
        solve_flow_edges(graph.edges, graph.n_edges, nodes, graph.n_nodes), 0);
    for (uint32_t i = 0; i < graph.n_edges; i++)
      assert_int_equal(graph.edges[i].count, graph.truth[i]);
  }
}

static void test_parallel_edges_and_self_loops_need_counters(void **unused) {
  struct arcline_flow_node nodes[3];
  struct arcline_edge parallel[] = {
      {.from = 0, .to = 1, .counter = ARCLINE_NO_COUNTER},
      {.from = 0, .to = 1, .counter = ARCLINE_NO_COUNTER},
  };
  struct arcline_edge loop[] = {
      {.from = 1, .to = 1, .counter = ARCLINE_NO_COUNTER},
  };

  (void)unused;
  assert_int_equal(solve_flow_edges(parallel, 2, nodes, 2), -1);
  assert_int_equal(solve_flow_edges(loop, 1, nodes, 2), -1);
}

static void test_inconsistent_counters_go_negative(void **unused) {
  // 0 is entered once, but left twice by a counter read later.
  struct arcline_flow_node nodes[2];
  struct arcline_edge edges[] = {
      {.from = 1, .to = 0, .counter = 0, .count = 1},
      {.from = 0, .to = 1, .counter = 1, .count = 2},
      {.from = 0, .to = 1, .counter = ARCLINE_NO_COUNTER},
  };

  (void)unused;
  assert_int_equal(solve_flow_edges(edges, 3, nodes, 1), 0);
  assert_int_equal((int64_t)edges[2].count, -1);
}

static struct arcline_cursor cursor_over(const uint8_t *bytes, size_t n) {
  return (struct arcline_cursor){bytes, bytes + n, 0};
}

static uint8_t *put(uint8_t *at, uint64_t value) {
  for (; value > 0x7f; value >>= 7)
    *at++ = (uint8_t)(value | 0x80);
  *at++ = (uint8_t)value;
  return at;
}

/* Ends of a plan's edges as they are encoded: by the order of their first
   use. */
struct ends {
  uint32_t n;
  uint32_t numbers[MAX_NODES];
};

static uint64_t end_of(struct ends *ends, uint32_t node, uint32_t exit) {
  if (node == exit)
    return 0;
  for (uint32_t i = 0; i < ends->n; i++)
    if (ends->numbers[i] == node)
      return ends->n - i + 1;
  ends->numbers[ends->n++] = node;
  return 1;
}

static void test_encoded_plan_is_truth(void **unused) {
  static struct graph graph;
  static uint8_t bytes[16 * MAX_EDGES];
  struct arcline_flow_node nodes[MAX_NODES + 1];
  uint64_t cells[MAX_EDGES], counts[MAX_EDGES];
  struct arcline_plan_edge edges[MAX_EDGES];

  (void)unused;
  for (unsigned n = 0; n < N_GRAPHS; n++) {
    struct arcline_plan_head head;
    struct ends ends = {0};
    uint32_t n_cells = 0;
    make_graph(&graph);
    uint8_t *at = put(put(bytes, graph.n_nodes), graph.n_edges);
    for (uint32_t i = 0; i < graph.n_edges; i++) {
      const struct arcline_edge *edge = &graph.edges[i];
      const bool has_cell = edge->counter != ARCLINE_NO_COUNTER;
      const uint64_t from = edge->from == edge->to
                                ? 0
                                : 1 + end_of(&ends, edge->from, graph.n_nodes);
      at = put(at, from << 1 | has_cell);
      if (from)
        at = put(at, end_of(&ends, edge->to, graph.n_nodes));
      if (has_cell)
        cells[n_cells++] = graph.truth[i];
    }
    struct arcline_cursor cursor = cursor_over(bytes, (size_t)(at - bytes));
    assert_int_equal(arcline_read_plan_head(&cursor, n_cells, &head), 0);
    struct arcline_cursor again = cursor;
    memset(edges, 0xff, sizeof(edges));
    assert_int_equal(
        solve_flow_plan(&cursor, &head, cells, n_cells, edges, nodes, counts),
        0);
    assert_ptr_equal(cursor.at, at);
    for (uint32_t i = 0; i < graph.n_edges; i++)
      assert_int_equal(counts[i], graph.truth[i]);
    if (n_cells)
      assert_int_equal(solve_flow_plan(&again, &head, cells, n_cells - 1, edges,
                                       nodes, counts),
                       -1);
    again.end--;
    assert_int_equal(
        solve_flow_plan(&again, &head, cells, n_cells, edges, nodes, counts),
        -1);
  }
}

/* Two edges between the same nodes, neither of which has a cell. */
static void test_plan_without_enough_cells_is_refused(void **unused) {
  uint8_t bytes[] = {2, 2, 2 << 1, 1, 3 << 1, 3};
  struct arcline_cursor cursor = cursor_over(bytes, sizeof(bytes));
  struct arcline_plan_head head;
  struct arcline_plan_edge edges[2];
  struct arcline_flow_node nodes[3];
  uint64_t cells[1] = {0}, counts[2];

  (void)unused;
  assert_int_equal(arcline_read_plan_head(&cursor, 0, &head), 0);
  assert_int_equal(
      solve_flow_plan(&cursor, &head, cells, 0, edges, nodes, counts), -1);
  assert_ptr_equal(cursor.at, bytes + sizeof(bytes));
}

/* Edges by the node that they leave, EXIT first. */
static void sort_edges(struct graph *graph) {
  const struct graph before = *graph;
  uint32_t n = 0;

  for (uint32_t k = 0; k <= graph->n_nodes; k++) {
    const uint32_t from = k == 0 ? graph->n_nodes : k - 1;
    for (uint32_t i = 0; i < graph->n_edges; i++)
      if (before.edges[i].from == from) {
        graph->edges[n] = before.edges[i];
        graph->truth[n++] = before.truth[i];
      }
  }
}

static uint64_t zigzag(int64_t value) {
  return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

/* As above, for counts of nodes; the first edge is the entry. */
static void test_encoded_graph_is_truth(void **unused) {
  static struct graph graph;
  static uint8_t bytes[16 * MAX_EDGES];
  struct arcline_flow_node nodes[MAX_NODES + 1];
  uint64_t values[MAX_EDGES], counts[MAX_NODES + 1];
  uint64_t n_entries;

  (void)unused;
  for (unsigned n = 0; n < N_GRAPHS; n++) {
    uint64_t truth[MAX_NODES + 1] = {0};
    uint32_t n_values = 0;
    uint8_t *at = bytes;
    make_graph(&graph);
    sort_edges(&graph);
    uint32_t from = graph.n_nodes;
    for (uint32_t i = 0; i < graph.n_edges; i++) {
      const struct arcline_edge *edge = &graph.edges[i];
      const bool has_value = edge->counter != ARCLINE_NO_COUNTER;
      const int64_t place =
          edge->from == graph.n_nodes ? -1 : (int64_t)edge->from;
      const uint64_t to =
          edge->to == graph.n_nodes ? 0 : zigzag(edge->to - place - 1) + 1;
      at = put(at, to << ARCLINE_EDGE_TO_BITS |
                       (edge->from == from ? 0 : ARCLINE_EDGE_IS_NEXT) |
                       (has_value ? ARCLINE_EDGE_HAS_COUNTER : 0) |
                       (i == 0 ? ARCLINE_EDGE_ENTRY : ARCLINE_EDGE_BRANCH));
      from = edge->from;
      if (has_value)
        values[n_values++] = graph.truth[i];
      truth[edge->to] += graph.truth[i];
    }
    const struct arcline_graph_head head = {.n_nodes = graph.n_nodes,
                                            .n_edges = graph.n_edges};
    struct arcline_cursor cursor = cursor_over(bytes, (size_t)(at - bytes));
    assert_int_equal(solve_flow_graph(&cursor, &head, values, n_values, nodes,
                                      counts, &n_entries),
                     0);
    assert_ptr_equal(cursor.at, at);
    assert_int_equal(n_entries, graph.truth[0]);
    for (uint32_t i = 0; i < graph.n_nodes; i++)
      assert_int_equal(counts[i], truth[i]);
    cursor = cursor_over(bytes, (size_t)(at - bytes) - 1);
    assert_int_equal(solve_flow_graph(&cursor, &head, values, n_values, nodes,
                                      counts, &n_entries),
                     -1);
  }
}

/* Two nodes in a circle apart from the rest: 0 <-> 1, without counters. */
static void test_graph_with_a_circle_is_refused(void **unused) {
  static const uint8_t bytes[] = {1 << 5 | 8 | 3, 1 << 5 | 16, 0x90, 1};
  static const uint8_t loop[] = {1 << 5 | 8 | 3, 2 << 5 | 16};
  const struct arcline_graph_head head = {.n_nodes = 2, .n_edges = 3};
  const struct arcline_graph_head one = {.n_nodes = 1, .n_edges = 2};
  const struct arcline_graph_head huge = {.n_nodes = UINT32_MAX >> 2};
  struct arcline_flow_node nodes[3];
  uint64_t counts[3], n_entries;
  const uint64_t value = 7;

  (void)unused;
  struct arcline_cursor cursor = cursor_over(bytes, sizeof(bytes));
  assert_int_equal(
      solve_flow_graph(&cursor, &head, &value, 1, nodes, counts, &n_entries),
      -1);
  cursor = cursor_over(loop, sizeof(loop));
  assert_int_equal(
      solve_flow_graph(&cursor, &one, &value, 1, nodes, counts, &n_entries),
      -1);
  assert_int_equal(
      solve_flow_graph(&cursor, &huge, &value, 1, nodes, counts, &n_entries),
      -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_solved_is_truth),
      cmocka_unit_test(test_one_counter_too_few),
      cmocka_unit_test(test_more_counters_than_needed),
      cmocka_unit_test(test_parallel_edges_and_self_loops_need_counters),
      cmocka_unit_test(test_inconsistent_counters_go_negative),
      cmocka_unit_test(test_encoded_plan_is_truth),
      cmocka_unit_test(test_plan_without_enough_cells_is_refused),
      cmocka_unit_test(test_encoded_graph_is_truth),
      cmocka_unit_test(test_graph_with_a_circle_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
