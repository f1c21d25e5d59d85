/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Line counts from flow graphs: entering a line counts, continuing within it
 * does not, repeating a loop on it does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "counts/line_counts.h"
#include "solve/flow.h"

enum { MAX_NODES = 64, MAX_EDGES = 128, MAX_LINES = 256, X = UINT32_MAX };
enum { NO_COUNT = -1 };

/* A program of a few functions, all in file 0. X is EXIT. */
struct program {
  struct flow_data flow;
  struct flow_func funcs[4];
  struct flow_node nodes[MAX_NODES];
  struct arcline_edge edges[MAX_EDGES];
  struct flow_line lines[MAX_LINES];
  struct flow_call calls[8];
};

static void begin_func(struct program *program, const char *name,
                       uint32_t line) {
  struct flow_data *flow = &program->flow;

  flow->funcs = program->funcs;
  flow->nodes = program->nodes;
  flow->edges = program->edges;
  flow->lines = program->lines;
  flow->calls = program->calls;
  flow->funcs[flow->n_funcs++] =
      (struct flow_func){.name = name,
                         .pos.line = line,
                         .first_node = flow->n_nodes,
                         .first_edge = flow->n_edges,
                         .first_call = flow->n_calls};
}

/* Add a node with up to four lines; 0 ends them. */
static void node(struct program *program, uint32_t a, uint32_t b, uint32_t c,
                 uint32_t d) {
  struct flow_data *flow = &program->flow;
  const uint32_t lines[] = {a, b, c, d};
  struct flow_node *node = &flow->nodes[flow->n_nodes++];

  *node = (struct flow_node){.first_line = (uint32_t)flow->n_lines};
  for (size_t i = 0; i < 4 && lines[i]; i++, node->n_lines++)
    flow->lines[flow->n_lines++] = (struct flow_line){0, lines[i]};
  flow->funcs[flow->n_funcs - 1].n_nodes++;
}

/* Add an edge, once all nodes of the function are there. */
static void edge(struct program *program, uint32_t from, uint32_t to,
                 enum arcline_edge_kind kind, uint64_t count) {
  struct flow_data *flow = &program->flow;
  struct flow_func *func = &flow->funcs[flow->n_funcs - 1];

  from = from == X ? func->n_nodes : from;
  to = to == X ? func->n_nodes : to;
  flow->edges[flow->n_edges++] = (struct arcline_edge){
      .from = from, .to = to, .kind = kind, .count = count};
  func->n_edges++;
  if (to < func->n_nodes)
    flow->nodes[func->first_node + to].count += count;
  if (kind == ARCLINE_EDGE_ENTRY)
    func->n_entries += count;
}

static int64_t count_of(const struct line_counts *counts, uint32_t line) {
  for (size_t i = 0; i < counts->n_lines; i++)
    if (counts->lines[i].pos.i_file == 0 && counts->lines[i].pos.line == line)
      return (int64_t)counts->lines[i].count;
  return NO_COUNT;
}

static void check(const struct program *program, const int64_t *expected,
                  size_t n_expected) {
  struct line_counts counts;
  struct err err = {0};

  assert_int_equal(line_counts_build(&program->flow, &counts, NULL, &err), 0);
  for (uint32_t line = 1; line < n_expected; line++)
    assert_int_equal(count_of(&counts, line), expected[line]);
  line_counts_release(&counts);
}

#define CHECK(program, ...)                                                    \
  do {                                                                         \
    const int64_t expected[] = {0, __VA_ARGS__};                               \
    check(program, expected, sizeof(expected) / sizeof(expected[0]));          \
  } while (0)

static void test_block_of_lines(void **state) {
  struct program p = {0};

  (void)state;
  begin_func(&p, "f", 1);
  node(&p, 1, 2, 4, 2); // a line that comes back counts once
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 7);
  edge(&p, 0, X, ARCLINE_EDGE_EXIT, 7);
  CHECK(&p, 7, 7, NO_COUNT, 7, NO_COUNT);
}

static void test_branch_on_one_line(void **state) {
  struct program p = {0};

  (void)state;
  begin_func(&p, "f", 1);
  node(&p, 1, 2, 0, 0);
  node(&p, 2, 0, 0, 0);
  node(&p, 2, 0, 0, 0);
  node(&p, 2, 3, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 10);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 4);
  edge(&p, 0, 2, ARCLINE_EDGE_BRANCH, 6);
  edge(&p, 1, 3, ARCLINE_EDGE_JUMP, 4);
  edge(&p, 2, 3, ARCLINE_EDGE_JUMP, 6);
  edge(&p, 3, X, ARCLINE_EDGE_EXIT, 10);
  CHECK(&p, 10, 10, 10);
}

static void test_branch_over_two_lines(void **state) {
  struct program p = {0};

  (void)state;
  begin_func(&p, "f", 1);
  node(&p, 1, 0, 0, 0); // if (x)
  node(&p, 2, 0, 0, 0); //   y;
  node(&p, 3, 0, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 10);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 0);
  edge(&p, 0, 2, ARCLINE_EDGE_BRANCH, 10);
  edge(&p, 1, 2, ARCLINE_EDGE_JUMP, 0);
  edge(&p, 2, X, ARCLINE_EDGE_EXIT, 10);
  CHECK(&p, 10, 0, 10);
}

/* for (i = 0; i < 5; i++) body; with the body on line `body`. */
static void make_loop(struct program *p, uint32_t body) {
  begin_func(p, "f", 1);
  node(p, 1, 2, 0, 0);    // i = 0
  node(p, 2, 0, 0, 0);    // i < 5
  node(p, body, 0, 0, 0); // body
  node(p, 2, 0, 0, 0);    // i++
  node(p, 4, 0, 0, 0);
  edge(p, X, 0, ARCLINE_EDGE_ENTRY, 1);
  edge(p, 0, 1, ARCLINE_EDGE_JUMP, 1);
  edge(p, 1, 2, ARCLINE_EDGE_BRANCH, 5);
  edge(p, 1, 4, ARCLINE_EDGE_BRANCH, 1);
  edge(p, 2, 3, ARCLINE_EDGE_JUMP, 5);
  edge(p, 3, 1, ARCLINE_EDGE_JUMP, 5);
  edge(p, 4, X, ARCLINE_EDGE_EXIT, 1);
}

static void test_loop_over_two_lines(void **state) {
  struct program p = {0};

  (void)state;
  make_loop(&p, 3);
  CHECK(&p, 1, 6, 5, 1);
}

static void test_loop_on_one_line(void **state) {
  struct program p = {0};

  (void)state;
  make_loop(&p, 2);
  CHECK(&p, 1, 6, NO_COUNT, 1);
}

static void test_loop_of_one_node(void **state) {
  struct program p = {0};

  (void)state;
  begin_func(&p, "f", 1);
  node(&p, 1, 0, 0, 0);
  node(&p, 2, 3, 0, 0); // do { ...; ... } while (...)
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 1);
  edge(&p, 0, 1, ARCLINE_EDGE_JUMP, 1);
  edge(&p, 1, 1, ARCLINE_EDGE_BRANCH, 99);
  edge(&p, 1, X, ARCLINE_EDGE_EXIT, 1);
  CHECK(&p, 1, 100, 100);
}

static void test_nested_loops_on_one_line(void **state) {
  struct program p = {0};

  (void)state;
  // for (4 times) for (3 times) x;
  begin_func(&p, "f", 2);
  node(&p, 2, 0, 0, 0); // outer condition
  node(&p, 2, 0, 0, 0); // inner condition
  node(&p, 2, 0, 0, 0); // x
  node(&p, 2, 0, 0, 0); // outer increment
  node(&p, 3, 0, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 1);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 4);
  edge(&p, 0, 4, ARCLINE_EDGE_BRANCH, 1);
  edge(&p, 1, 2, ARCLINE_EDGE_BRANCH, 12);
  edge(&p, 2, 1, ARCLINE_EDGE_JUMP, 12);
  edge(&p, 1, 3, ARCLINE_EDGE_BRANCH, 4);
  edge(&p, 3, 0, ARCLINE_EDGE_JUMP, 4);
  edge(&p, 4, X, ARCLINE_EDGE_EXIT, 1);
  CHECK(&p, NO_COUNT, 1 + 4 + 12, 1);
}

static void test_calls_do_not_cut_a_line(void **state) {
  struct program p = {0};

  (void)state;
  // 1: a(); b();   2: foo(   3: c(),   2: ...)
  begin_func(&p, "f", 1);
  node(&p, 1, 0, 0, 0);
  node(&p, 1, 0, 0, 0);
  node(&p, 1, 3, 0, 0);
  node(&p, 2, 0, 0, 0);
  node(&p, 2, 4, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 10);
  edge(&p, 0, 1, ARCLINE_EDGE_RETURN_TO, 9);
  edge(&p, 0, X, ARCLINE_EDGE_ABRUPT, 1);
  edge(&p, 1, 2, ARCLINE_EDGE_RETURN_TO, 8);
  edge(&p, 1, X, ARCLINE_EDGE_ABRUPT, 1);
  edge(&p, 2, 3, ARCLINE_EDGE_RETURN_TO, 6);
  edge(&p, 2, X, ARCLINE_EDGE_ABRUPT, 2);
  edge(&p, 3, 4, ARCLINE_EDGE_RETURN_TO, 6);
  edge(&p, 3, X, ARCLINE_EDGE_ABRUPT, 0);
  edge(&p, 4, X, ARCLINE_EDGE_EXIT, 6);
  CHECK(&p, 10, 6, 8, 6);
}

/* Both branches of a choice are on one line, each with a call in it. */
static void test_calls_on_both_ways_do_not_cut_a_line(void **state) {
  struct program p = {0};

  (void)state;
  // 1: if (x)   2: { a(); b(); } else { c(); d(); }
  begin_func(&p, "f", 1);
  node(&p, 1, 0, 0, 0);
  for (int i = 0; i < 6; i++)
    node(&p, 2, 0, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 10);
  for (uint32_t way = 1; way < 7; way += 3) {
    edge(&p, 0, way, ARCLINE_EDGE_JUMP, 5);
    edge(&p, way, way + 1, ARCLINE_EDGE_RETURN_TO, 5);
    edge(&p, way + 1, way + 2, ARCLINE_EDGE_RETURN_TO, 5);
    edge(&p, way + 2, X, ARCLINE_EDGE_EXIT, 5);
  }
  CHECK(&p, 10, 10);
}

static void test_line_goes_on_behind_calls_of_other_lines(void **state) {
  struct program p = {0};

  (void)state;
  // 1: foo(a(),   2: b(),   3: c()) with foo and a on line 1
  begin_func(&p, "f", 1);
  node(&p, 1, 0, 0, 0);
  node(&p, 2, 0, 0, 0);
  node(&p, 3, 0, 0, 0);
  node(&p, 1, 0, 0, 0);
  node(&p, 4, 0, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 10);
  for (uint32_t i = 0; i < 4; i++)
    edge(&p, i, i + 1, ARCLINE_EDGE_RETURN_TO, 10);
  edge(&p, 4, X, ARCLINE_EDGE_EXIT, 10);
  CHECK(&p, 10, 10, 10, 10);
}

static void test_condition_goes_on_behind_a_call(void **state) {
  struct program p = {0};

  (void)state;
  // 2: if (a &&   3: b())   4: ...; the branch is of line 2
  begin_func(&p, "f", 1);
  node(&p, 1, 2, 0, 0);
  node(&p, 3, 0, 0, 0);
  node(&p, 3, 2, 0, 0);
  node(&p, 4, 0, 0, 0);
  node(&p, 5, 0, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 10);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 8);
  edge(&p, 0, 4, ARCLINE_EDGE_BRANCH, 2);
  edge(&p, 1, 2, ARCLINE_EDGE_RETURN_TO, 8);
  edge(&p, 2, 3, ARCLINE_EDGE_BRANCH, 5);
  edge(&p, 2, 4, ARCLINE_EDGE_BRANCH, 3);
  edge(&p, 3, 4, ARCLINE_EDGE_JUMP, 5);
  edge(&p, 4, X, ARCLINE_EDGE_EXIT, 10);
  CHECK(&p, 10, 10, 8, 5, 10);
}

static void test_behind_a_call_that_never_returns(void **state) {
  struct program p = {0};

  (void)state;
  begin_func(&p, "f", 1);
  node(&p, 1, 2, 0, 0);
  node(&p, 3, 0, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 10);
  edge(&p, 0, 1, ARCLINE_EDGE_RETURN_TO, 0);
  edge(&p, 0, X, ARCLINE_EDGE_ABRUPT, 10);
  edge(&p, 1, X, ARCLINE_EDGE_EXIT, 0);
  CHECK(&p, 10, 10, 0);
}

static void test_exception_caught_on_its_line(void **state) {
  struct program p = {0};

  (void)state;
  // 2: try { f(); } catch (...) { }   with 3 of 10 calls throwing
  begin_func(&p, "f", 1);
  node(&p, 1, 2, 0, 0); // invoke
  node(&p, 2, 0, 0, 0); // landing pad
  node(&p, 3, 0, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 10);
  edge(&p, 0, 2, ARCLINE_EDGE_RETURN_TO, 7);
  edge(&p, 0, X, ARCLINE_EDGE_ABRUPT, 3);
  edge(&p, X, 1, ARCLINE_EDGE_REENTRY, 3);
  edge(&p, 1, 2, ARCLINE_EDGE_JUMP, 3);
  edge(&p, 2, X, ARCLINE_EDGE_EXIT, 10);
  CHECK(&p, 10, 10, 10);
}

static void test_exception_caught_on_another_line(void **state) {
  struct program p = {0};

  (void)state;
  begin_func(&p, "f", 1);
  node(&p, 1, 2, 0, 0);
  node(&p, 3, 0, 0, 0);
  node(&p, 4, 0, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 10);
  edge(&p, 0, 2, ARCLINE_EDGE_RETURN_TO, 7);
  edge(&p, 0, X, ARCLINE_EDGE_ABRUPT, 3);
  edge(&p, X, 1, ARCLINE_EDGE_REENTRY, 3);
  edge(&p, 1, 2, ARCLINE_EDGE_JUMP, 3);
  edge(&p, 2, X, ARCLINE_EDGE_EXIT, 10);
  CHECK(&p, 10, 10, 3, 10);
}

static void test_loop_through_an_exception_on_one_line(void **state) {
  struct program p = {0};

  (void)state;
  // 2: for (...) try { f(); } catch (...) { }   5 rounds, 2 of them throw
  begin_func(&p, "f", 1);
  node(&p, 1, 0, 0, 0);
  node(&p, 2, 0, 0, 0); // condition
  node(&p, 2, 0, 0, 0); // invoke
  node(&p, 2, 0, 0, 0); // landing pad
  node(&p, 2, 0, 0, 0); // increment
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 1);
  edge(&p, 0, 1, ARCLINE_EDGE_JUMP, 1);
  edge(&p, 1, 2, ARCLINE_EDGE_BRANCH, 5);
  edge(&p, 1, X, ARCLINE_EDGE_EXIT, 1);
  edge(&p, 2, 4, ARCLINE_EDGE_RETURN_TO, 3);
  edge(&p, 2, X, ARCLINE_EDGE_ABRUPT, 2);
  edge(&p, X, 3, ARCLINE_EDGE_REENTRY, 2);
  edge(&p, 3, 4, ARCLINE_EDGE_JUMP, 2);
  edge(&p, 4, 1, ARCLINE_EDGE_JUMP, 5);
  CHECK(&p, 1, 6);
}

static void test_second_return_of_setjmp_enters(void **state) {
  struct program p = {0};

  (void)state;
  // All returns of setjmp are reentries.
  begin_func(&p, "f", 1);
  node(&p, 1, 2, 0, 0);
  node(&p, 2, 3, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 1);
  edge(&p, 0, X, ARCLINE_EDGE_ABRUPT, 1);
  edge(&p, X, 1, ARCLINE_EDGE_REENTRY, 4);
  edge(&p, 1, X, ARCLINE_EDGE_EXIT, 4);
  CHECK(&p, 1, 4, 4);
}

static void test_nodes_without_lines_are_seen_through(void **state) {
  struct program p = {0};

  (void)state;
  // All on line 2 but node 3, which joins the line from elsewhere.
  begin_func(&p, "f", 1);
  node(&p, 1, 2, 0, 0);
  node(&p, 0, 0, 0, 0); // follows node 0
  node(&p, 2, 0, 0, 0);
  node(&p, 3, 0, 0, 0);
  node(&p, 0, 0, 0, 0); // where 2 and 3 meet
  node(&p, 2, 0, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 10);
  edge(&p, 0, 1, ARCLINE_EDGE_BRANCH, 6);
  edge(&p, 0, 3, ARCLINE_EDGE_BRANCH, 4);
  edge(&p, 1, 2, ARCLINE_EDGE_JUMP, 6);
  edge(&p, 2, 4, ARCLINE_EDGE_JUMP, 6);
  edge(&p, 3, 4, ARCLINE_EDGE_JUMP, 4);
  edge(&p, 4, 5, ARCLINE_EDGE_JUMP, 10);
  edge(&p, 5, X, ARCLINE_EDGE_EXIT, 10);
  CHECK(&p, 10, 14, 4);
}

static void test_circle_of_nodes_without_lines_ends(void **state) {
  struct program p = {0};

  (void)state;
  begin_func(&p, "f", 1);
  node(&p, 1, 0, 0, 0);
  node(&p, 0, 0, 0, 0);
  node(&p, 0, 0, 0, 0);
  edge(&p, X, 0, ARCLINE_EDGE_ENTRY, 3);
  edge(&p, 0, X, ARCLINE_EDGE_EXIT, 3);
  edge(&p, 1, 2, ARCLINE_EDGE_RETURN_TO, 9);
  edge(&p, 2, 1, ARCLINE_EDGE_RETURN_TO, 9);
  CHECK(&p, 3);
}

static void test_instances_add_up(void **state) {
  struct program p = {0};
  struct line_counts counts;
  struct err err = {0};

  (void)state;
  for (uint64_t n = 1; n <= 3; n++) {
    begin_func(&p, n < 3 ? "one" : "other", 5);
    node(&p, 5, 6, 0, 0);
    edge(&p, X, 0, ARCLINE_EDGE_ENTRY, n);
    edge(&p, 0, X, ARCLINE_EDGE_EXIT, n);
    p.calls[p.flow.n_calls++] =
        (struct flow_call){0, n, {0, 6}, n < 3 ? "a" : "b"};
    p.flow.funcs[p.flow.n_funcs - 1].n_calls = 1;
  }
  assert_int_equal(line_counts_build(&p.flow, &counts, NULL, &err), 0);
  assert_int_equal(counts.n_lines, 2);
  assert_int_equal(counts.lines[0].count, 6);
  assert_int_equal(counts.lines[1].count, 6);
  assert_int_equal(counts.n_funcs, 2);
  assert_string_equal(counts.funcs[0].name, "one");
  assert_int_equal(counts.funcs[0].n_entries, 3);
  assert_int_equal(counts.funcs[0].last_line, 6);
  assert_string_equal(counts.funcs[1].name, "other");
  assert_int_equal(counts.funcs[1].n_entries, 3);
  assert_int_equal(counts.n_calls, 2);
  assert_string_equal(counts.calls[0].callee, "a");
  assert_int_equal(counts.calls[0].count, 3);
  assert_int_equal(counts.calls[1].count, 3);
  line_counts_release(&counts);
}

/* Every node leads to every other one, all on one line: the work is bounded,
   and the result still has the right size. */
static void test_absurd_tangle_ends(void **state) {
  enum { N = 700 };
  struct program p = {0};
  struct line_counts counts;
  struct err err = {0};
  const size_t n_edges = (size_t)N * N + 2;

  (void)state;
  begin_func(&p, "f", 1);
  struct flow_node *nodes = calloc(N, sizeof(*nodes));
  struct arcline_edge *edges = calloc(n_edges, sizeof(*edges));
  assert_non_null(nodes);
  assert_non_null(edges);
  p.flow.lines[0] = (struct flow_line){0, 1};
  for (uint32_t i = 0; i < N; i++)
    nodes[i] = (struct flow_node){.n_lines = 1, .count = 1000};
  for (uint32_t i = 0; i < N * N; i++)
    edges[i] = (struct arcline_edge){
        .from = i / N, .to = i % N, .count = 1 + (i * 2654435761u >> 20)};
  edges[N * N] = (struct arcline_edge){
      .from = N, .to = 0, .kind = ARCLINE_EDGE_ENTRY, .count = 1};
  edges[N * N + 1] = (struct arcline_edge){
      .from = 0, .to = N, .kind = ARCLINE_EDGE_EXIT, .count = 1};
  p.flow.nodes = nodes;
  p.flow.edges = edges;
  p.funcs[0].n_nodes = N;
  p.funcs[0].n_edges = (uint32_t)n_edges;
  assert_int_equal(line_counts_build(&p.flow, &counts, NULL, &err), 0);
  assert_int_equal(counts.n_lines, 1);
  assert_true(counts.lines[0].count >= 1000);
  line_counts_release(&counts);
  free(nodes);
  free(edges);
}

static void test_nothing(void **state) {
  const struct flow_data flow = {0};
  struct line_counts counts;
  struct err err = {0};

  (void)state;
  assert_int_equal(line_counts_build(&flow, &counts, NULL, &err), 0);
  assert_int_equal(counts.n_lines, 0);
  line_counts_release(&counts);
}

/* Lines are the same if they are made of their instances. */
static void expect_counts_without_instances(const struct flow_data *flow,
                                            const struct line_counts *counts) {
  struct line_counts alone;
  struct err err = {0};

  assert_int_equal(line_counts_build(flow, &alone, NULL, &err), 0);
  assert_int_equal(alone.n_lines, counts->n_lines);
  assert_memory_equal(alone.lines, counts->lines,
                      alone.n_lines * sizeof(*alone.lines));
  line_counts_release(&alone);
}

/* Two instances of a template, one of them in two units, and a function whose
   lines are not shared. */
static void test_instances_of_lines(void **state) {
  struct program p = {0};
  struct line_counts counts;
  struct line_instances instances;
  struct err err = {0};
  const char *names[] = {"_Z1fIiEvT_", "_Z1fIdEvT_", "_Z1fIiEvT_", "main"};
  static const struct line_instance expected[] = {
      {{0, 2}, "_Z1fIdEvT_", 10}, {{0, 2}, "_Z1fIiEvT_", 101},
      {{0, 3}, "_Z1fIdEvT_", 10}, {{0, 3}, "_Z1fIiEvT_", 101},
      {{0, 5}, "_Z1fIdEvT_", 10}, {{0, 5}, "_Z1fIiEvT_", 101},
  };

  (void)state;
  for (unsigned i = 0; i < 4; i++) {
    const uint64_t count = (const uint64_t[]){1, 10, 100, 1000}[i];
    begin_func(&p, names[i], i == 3 ? 4 : 2);
    if (i == 3)
      node(&p, 4, 0, 0, 0);
    else
      node(&p, 2, 3, 5, 0);
    edge(&p, X, 0, ARCLINE_EDGE_ENTRY, count);
    edge(&p, 0, X, ARCLINE_EDGE_EXIT, count);
  }
  assert_int_equal(line_counts_build(&p.flow, &counts, &instances, &err), 0);
  expect_counts_without_instances(&p.flow, &counts);
  line_counts_release(&counts);
  assert_int_equal(instances.n_lines, sizeof(expected) / sizeof(expected[0]));
  for (size_t i = 0; i < instances.n_lines; i++) {
    assert_int_equal(instances.lines[i].pos.line, expected[i].pos.line);
    assert_string_equal(instances.lines[i].name, expected[i].name);
    assert_int_equal(instances.lines[i].count, expected[i].count);
  }
  line_instances_release(&instances);

  p.flow.n_funcs = 1; // nothing is shared any more
  assert_int_equal(line_counts_build(&p.flow, &counts, &instances, &err), 0);
  expect_counts_without_instances(&p.flow, &counts);
  line_counts_release(&counts);
  assert_int_equal(instances.n_lines, 0);
  line_instances_release(&instances);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_block_of_lines),
      cmocka_unit_test(test_branch_on_one_line),
      cmocka_unit_test(test_branch_over_two_lines),
      cmocka_unit_test(test_loop_over_two_lines),
      cmocka_unit_test(test_loop_on_one_line),
      cmocka_unit_test(test_loop_of_one_node),
      cmocka_unit_test(test_nested_loops_on_one_line),
      cmocka_unit_test(test_calls_do_not_cut_a_line),
      cmocka_unit_test(test_calls_on_both_ways_do_not_cut_a_line),
      cmocka_unit_test(test_line_goes_on_behind_calls_of_other_lines),
      cmocka_unit_test(test_condition_goes_on_behind_a_call),
      cmocka_unit_test(test_behind_a_call_that_never_returns),
      cmocka_unit_test(test_exception_caught_on_its_line),
      cmocka_unit_test(test_exception_caught_on_another_line),
      cmocka_unit_test(test_loop_through_an_exception_on_one_line),
      cmocka_unit_test(test_second_return_of_setjmp_enters),
      cmocka_unit_test(test_nodes_without_lines_are_seen_through),
      cmocka_unit_test(test_circle_of_nodes_without_lines_ends),
      cmocka_unit_test(test_instances_add_up),
      cmocka_unit_test(test_absurd_tangle_ends),
      cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_instances_of_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
