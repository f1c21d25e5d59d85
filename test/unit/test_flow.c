/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Decoding and solving of flow graphs and plans (arcline/flow.h): whatever
 * spanning tree is left without counters, solving gives the counts of a real
 * run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arcline/flow.h"

enum { MAX_NODES = 60, MAX_EDGES = 400, N_GRAPHS = 2000, N_WALKS = 50 };

/* A graph with the counts that walks through it made. */
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
        arcline_flow_solve(graph.edges, graph.n_edges, nodes, graph.n_nodes),
        0);
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
        arcline_flow_solve(graph.edges, graph.n_edges, nodes, graph.n_nodes),
        -1);
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
        arcline_flow_solve(graph.edges, graph.n_edges, nodes, graph.n_nodes),
        0);
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
  assert_int_equal(arcline_flow_solve(parallel, 2, nodes, 2), -1);
  assert_int_equal(arcline_flow_solve(loop, 1, nodes, 2), -1);
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
  assert_int_equal(arcline_flow_solve(edges, 3, nodes, 1), 0);
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

static void test_encoded_plan_is_truth(void **unused) {
  static struct graph graph;
  static uint8_t bytes[16 * MAX_EDGES];
  struct arcline_flow_node nodes[MAX_NODES + 1];
  uint64_t cells[MAX_EDGES], counts[MAX_EDGES];

  (void)unused;
  for (unsigned n = 0; n < N_GRAPHS; n++) {
    struct arcline_graph_head head;
    uint32_t n_cells = 0;
    make_graph(&graph);
    uint8_t *at = put(put(bytes, graph.n_nodes), graph.n_edges);
    for (uint32_t i = 0; i < graph.n_edges; i++) {
      const bool has_cell = graph.edges[i].counter != ARCLINE_NO_COUNTER;
      at = put(put(at, graph.edges[i].from), graph.edges[i].to);
      at = put(at, has_cell ? (n_cells + 1) << ARCLINE_EDGE_KIND_BITS : 0);
      if (has_cell)
        cells[n_cells++] = graph.truth[i];
    }
    struct arcline_cursor cursor = cursor_over(bytes, (size_t)(at - bytes));
    assert_int_equal(arcline_read_plan_head(&cursor, &head), 0);
    assert_int_equal(arcline_plan_solve(cursor, &head, cells, n_cells,
                                        graph.edges, nodes, counts),
                     0);
    for (uint32_t i = 0; i < graph.n_edges; i++)
      assert_int_equal(counts[i], graph.truth[i]);
    if (n_cells)
      assert_int_equal(arcline_plan_solve(cursor, &head, cells, n_cells - 1,
                                          graph.edges, nodes, counts),
                       -1);
    cursor.end--;
    assert_int_equal(arcline_plan_solve(cursor, &head, cells, n_cells,
                                        graph.edges, nodes, counts),
                     -1);
  }
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
    for (uint32_t i = 0; i < graph.n_edges; i++) {
      const struct arcline_edge *edge = &graph.edges[i];
      const bool has_value = edge->counter != ARCLINE_NO_COUNTER;
      at = put(put(at, edge->from), edge->to);
      at = put(at, (has_value ? (n_values + 1) << ARCLINE_EDGE_KIND_BITS : 0) |
                       (i == 0 ? ARCLINE_EDGE_ENTRY : ARCLINE_EDGE_BRANCH));
      if (has_value)
        values[n_values++] = graph.truth[i];
      truth[edge->to] += graph.truth[i];
    }
    const struct arcline_graph_head head = {.n_nodes = graph.n_nodes,
                                            .n_edges = graph.n_edges};
    struct arcline_cursor cursor = cursor_over(bytes, (size_t)(at - bytes));
    assert_int_equal(arcline_graph_solve(&cursor, &head, values, n_values,
                                         nodes, counts, &n_entries),
                     0);
    assert_ptr_equal(cursor.at, at);
    assert_int_equal(n_entries, graph.truth[0]);
    for (uint32_t i = 0; i < graph.n_nodes; i++)
      assert_int_equal(counts[i], truth[i]);
    cursor = cursor_over(bytes, (size_t)(at - bytes) - 1);
    assert_int_equal(arcline_graph_solve(&cursor, &head, values, n_values,
                                         nodes, counts, &n_entries),
                     -1);
  }
}

/* Two nodes in a circle apart from the rest: 0 <-> 1, without counters. */
static void test_graph_with_a_circle_is_refused(void **unused) {
  static const uint8_t bytes[] = {2, 0, 0x13, 0, 1, 0, 1, 0, 0};
  static const uint8_t loop[] = {0, 0, 0};
  const struct arcline_graph_head head = {.n_nodes = 2, .n_edges = 3};
  const struct arcline_graph_head one = {.n_nodes = 1, .n_edges = 1};
  const struct arcline_graph_head huge = {.n_nodes = UINT32_MAX >> 2};
  struct arcline_flow_node nodes[3];
  uint64_t counts[3], n_entries;
  const uint64_t value = 7;

  (void)unused;
  struct arcline_cursor cursor = cursor_over(bytes, sizeof(bytes));
  assert_int_equal(
      arcline_graph_solve(&cursor, &head, &value, 1, nodes, counts, &n_entries),
      -1);
  cursor = cursor_over(loop, sizeof(loop));
  assert_int_equal(
      arcline_graph_solve(&cursor, &one, &value, 1, nodes, counts, &n_entries),
      -1);
  assert_int_equal(
      arcline_graph_solve(&cursor, &huge, &value, 1, nodes, counts, &n_entries),
      -1);
}

static void test_plan_heads(void **unused) {
  static const uint8_t empty[] = {0, 0};
  static const uint8_t exit_only[] = {0, 1, 0, 0, 1 << 4};
  static const uint8_t many_nodes[] = {4, 1, 0, 0, 0};
  static const uint8_t many_edges[] = {1, 4, 0, 0, 0};
  struct arcline_graph_head head;
  struct arcline_cursor cursor = cursor_over(empty, sizeof(empty));

  (void)unused;
  assert_int_equal(arcline_read_plan_head(&cursor, &head), 0);
  cursor = cursor_over(exit_only, sizeof(exit_only));
  assert_int_equal(arcline_read_plan_head(&cursor, &head), 0);
  assert_int_equal(head.n_edges, 1);
  cursor = cursor_over(many_nodes, sizeof(many_nodes));
  assert_int_equal(arcline_read_plan_head(&cursor, &head), -1);
  cursor = cursor_over(many_edges, sizeof(many_edges));
  assert_int_equal(arcline_read_plan_head(&cursor, &head), -1);
  cursor = cursor_over(exit_only, 1);
  assert_int_equal(arcline_read_plan_head(&cursor, &head), -1);
}

static void test_terms(void **unused) {
  // counters 1, 1, 3; edges 2, 0, 1; times 5, 1, 300
  static const uint8_t terms[] = {1, 2, 5, 0, 0, 1, 2, 1, 0xac, 2};
  static const uint64_t counts[] = {1000, 7, 10};
  uint64_t values[4] = {1, 1, 1, 1};
  const struct arcline_cursor all = cursor_over(terms, sizeof(terms));

  (void)unused;
  assert_int_equal(arcline_terms_add(all, counts, 3, values, 4), 0);
  assert_int_equal(values[0], 1);
  assert_int_equal(values[1], 1 + 50 + 1000);
  assert_int_equal(values[2], 1);
  assert_int_equal(values[3], 1 + 2100);
  assert_int_equal(arcline_terms_add(all, counts, 2, values, 4), -1);
  assert_int_equal(arcline_terms_add(all, counts, 3, values, 3), -1);
  for (size_t n = 1; n < sizeof(terms); n++)
    assert_int_equal(
        arcline_terms_add(cursor_over(terms, n), counts, 3, values, 4),
        n % 3 == 0 && n < 9 ? 0 : -1);
  assert_int_equal(
      arcline_terms_add(cursor_over(terms, 0), counts, 3, values, 4), 0);
}

static void test_edges_as_counters(void **unused) {
  static const uint64_t counts[] = {1000, 7, 10};
  uint64_t values[2] = {1, 1};

  (void)unused;
  assert_int_equal(arcline_edges_add(1, counts, 3, values, 2), 0);
  assert_int_equal(values[0], 8);
  assert_int_equal(values[1], 11);
  assert_int_equal(arcline_edges_add(3, counts, 3, values, 0), 0);
  assert_int_equal(arcline_edges_add(2, counts, 3, values, 2), -1);
  assert_int_equal(arcline_edges_add(UINT32_MAX, counts, 3, values, 2), -1);
}

/* One call, then a number: passed over, or decoded. */
static void test_behind_the_edges(void **unused) {
  static const struct arcline_graph_head head = {.n_nodes = 2};
  static const uint8_t bytes[] = {1, 1, 3, 9, 0x88, 1, 42};
  struct arcline_cursor cursor = cursor_over(bytes, sizeof(bytes));
  struct arcline_call call;

  (void)unused;
  assert_int_equal(arcline_read_length(&cursor, ARCLINE_CALL_BYTES), 1);
  struct arcline_cursor other = cursor;
  assert_int_equal(arcline_read_call(&cursor, &head, &call), 0);
  assert_int_equal(call.node, 1);
  assert_int_equal(call.line, -2);
  assert_int_equal(call.file, 9);
  assert_int_equal(call.callee, 136);
  arcline_skip_numbers(&other, ARCLINE_CALL_BYTES);
  assert_ptr_equal(other.at, cursor.at);
  assert_int_equal(arcline_read_length(&cursor, 1), 0); // 42 do not fit
  assert_true(cursor.bad);
  arcline_skip_numbers(&other, 2);
  assert_true(other.bad);
}

static void test_numbers(void **unused) {
  static const uint8_t bytes[] = {0x7f, 0xe5, 0x8e, 0x26, 0x80};
  struct arcline_cursor cursor = cursor_over(bytes, sizeof(bytes));

  (void)unused;
  assert_int_equal(arcline_read_uleb(&cursor), 127);
  assert_int_equal(arcline_read_uleb(&cursor), 624485);
  assert_false(cursor.bad);
  assert_int_equal(arcline_read_uleb(&cursor), 0); // cut short
  assert_true(cursor.bad);
  assert_int_equal(arcline_read_uleb(&cursor), 0); // stays bad
}

static void test_numbers_too_large(void **unused) {
  static const uint8_t endless[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                    0x80, 0x80, 0x80, 0x80, 0x80, 0x01};
  static const uint8_t two_to_32[] = {0x80, 0x80, 0x80, 0x80, 0x10};
  struct arcline_cursor cursor = cursor_over(endless, sizeof(endless));

  (void)unused;
  arcline_read_uleb(&cursor);
  assert_true(cursor.bad);
  cursor = cursor_over(two_to_32, sizeof(two_to_32));
  assert_int_equal(arcline_read_u32(&cursor), 0);
  assert_true(cursor.bad);
  cursor = cursor_over(two_to_32, sizeof(two_to_32));
  assert_int_equal(arcline_read_uleb(&cursor), (uint64_t)1 << 32);
  assert_false(cursor.bad);
}

static void test_zigzag(void **unused) {
  (void)unused;
  assert_int_equal(arcline_unzigzag(0), 0);
  assert_int_equal(arcline_unzigzag(1), -1);
  assert_int_equal(arcline_unzigzag(2), 1);
  assert_true(arcline_unzigzag(UINT64_MAX) == INT64_MIN);
}

static void test_head_claims_more_than_its_bytes(void **unused) {
  // name, file, line, comp_dir, n_nodes, n_edges and three more bytes
  static const uint8_t fits[] = {1, 2, 3, 4, 3, 3, 0, 0, 0};
  static const uint8_t many_nodes[] = {1, 2, 3, 4, 4, 3, 0, 0, 0};
  static const uint8_t many_edges[] = {1, 2, 3, 4, 3, 4, 0, 0, 0};
  static const uint8_t no_node[] = {1, 2, 3, 4, 0, 3, 0, 0, 0};
  struct arcline_graph_head head;
  struct arcline_cursor cursor = cursor_over(fits, sizeof(fits));

  (void)unused;
  assert_int_equal(arcline_read_graph_head(&cursor, &head), 0);
  assert_int_equal(head.line, 3);
  assert_int_equal(head.n_edges, 3);
  cursor = cursor_over(many_nodes, sizeof(many_nodes));
  assert_int_equal(arcline_read_graph_head(&cursor, &head), -1);
  cursor = cursor_over(many_edges, sizeof(many_edges));
  assert_int_equal(arcline_read_graph_head(&cursor, &head), -1);
  cursor = cursor_over(no_node, sizeof(no_node));
  assert_int_equal(arcline_read_graph_head(&cursor, &head), -1);
  cursor = cursor_over(fits, 5);
  assert_int_equal(arcline_read_graph_head(&cursor, &head), -1);
}

static void test_edges(void **unused) {
  static const struct arcline_graph_head head = {.n_nodes = 5, .n_edges = 1};
  static const uint8_t counted[] = {5, 0, 2 << 4 | 3};
  static const uint8_t plain[] = {0, 5, 4};
  static const uint8_t from_nowhere[] = {6, 0, 0};
  static const uint8_t no_such_counter[] = {0, 1, 3 << 4};
  struct arcline_edge edge;
  struct arcline_cursor cursor = cursor_over(counted, sizeof(counted));

  (void)unused;
  assert_int_equal(arcline_read_edge(&cursor, &head, 2, &edge), 0);
  assert_int_equal(edge.from, 5);
  assert_int_equal(edge.to, 0);
  assert_int_equal(edge.counter, 1);
  assert_int_equal(edge.kind, ARCLINE_EDGE_ENTRY);
  cursor = cursor_over(plain, sizeof(plain));
  assert_int_equal(arcline_read_edge(&cursor, &head, 0, &edge), 0);
  assert_int_equal(edge.counter, ARCLINE_NO_COUNTER);
  assert_int_equal(edge.kind, ARCLINE_EDGE_EXIT);
  cursor = cursor_over(from_nowhere, sizeof(from_nowhere));
  assert_int_equal(arcline_read_edge(&cursor, &head, 0, &edge), -1);
  cursor = cursor_over(no_such_counter, sizeof(no_such_counter));
  assert_int_equal(arcline_read_edge(&cursor, &head, 2, &edge), -1);
  cursor = cursor_over(plain, 2);
  assert_int_equal(arcline_read_edge(&cursor, &head, 0, &edge), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_solved_is_truth),
      cmocka_unit_test(test_one_counter_too_few),
      cmocka_unit_test(test_more_counters_than_needed),
      cmocka_unit_test(test_parallel_edges_and_self_loops_need_counters),
      cmocka_unit_test(test_inconsistent_counters_go_negative),
      cmocka_unit_test(test_encoded_plan_is_truth),
      cmocka_unit_test(test_encoded_graph_is_truth),
      cmocka_unit_test(test_graph_with_a_circle_is_refused),
      cmocka_unit_test(test_plan_heads),
      cmocka_unit_test(test_terms),
      cmocka_unit_test(test_edges_as_counters),
      cmocka_unit_test(test_behind_the_edges),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_numbers_too_large),
      cmocka_unit_test(test_zigzag),
      cmocka_unit_test(test_head_claims_more_than_its_bytes),
      cmocka_unit_test(test_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
