/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Orders for a linker, of graphs that are built by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "profile/arc_order.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/** Compare an order with names of one letter: a is node 0. */
static void expect_order(struct arc_order *order, const char *expected) {
  char found[64] = "";

  for (size_t i = 0; i < order->n_nodes && i + 1 < sizeof(found); i++)
    found[i] = (char)('a' + order->nodes[i]);
  assert_string_equal(found, expected);
  arc_order_release(order);
}

static void expect_functions(const struct profile_arc *arcs, size_t n_arcs,
                             size_t n_symbols, const char *expected) {
  const struct arc_order_graph graph = {
      .n_symbols = n_symbols,
      .n_nodes = n_symbols,
      .arcs = arcs,
      .n_arcs = n_arcs,
  };
  struct arc_order order;
  struct err err;

  assert_int_equal(arc_order_functions(&graph, false, &order, &err), 0);
  expect_order(&order, expected);
}

static void callers_and_callees_make_chains(void **state) {
  // From a ring, so that each is called. The last arc is of less than 1 %.
  const struct profile_arc arcs[] = {
      {0, 1, 500, 0, 0}, {1, 0, 400, 0, 0}, {3, 4, 900, 0, 0},
      {4, 2, 800, 0, 0}, {4, 5, 300, 0, 0}, {2, 3, 5, 0, 0},
  };

  (void)state;
  // c goes to the nearer end, after e; then f, on the left.
  expect_functions(arcs, N_OF(arcs), 6, "decabf");
}

static void nearer_end_is_taken(void **state) {
  const struct profile_arc arcs[] = {
      {0, 1, 100, 0, 0}, {1, 2, 90, 0, 0}, {2, 3, 80, 0, 0}, {1, 4, 70, 0, 0},
      {2, 5, 60, 0, 0},  {1, 0, 1, 0, 0},  {9, 9, 5, 0, 0},
  };

  (void)state;
  // a-b-c-d, then e at the end near b, f in the middle of five: at the last.
  // Only j calls itself: at the end, with others that are not called.
  expect_functions(arcs, N_OF(arcs), 10, "eabcdfghij");
}

/** The ends of a chain move; the next function searches for the nearer one. */
static void chains_grow_at_both_ends(void **state) {
  const struct profile_arc arcs[] = {{0, 1, 500, 0, 0},
                                     {2, 0, 300, 0, 0},
                                     {0, 3, 190, 0, 0},
                                     {1, 2, 10, 0, 0}};

  (void)state;
  // a-b, c before it; then d, in the middle, at the last.
  expect_functions(arcs, N_OF(arcs), 4, "cabd");
}

/** Chains are made of 99 % of all calls first, then of the others. */
static void rare_calls_come_later(void **state) {
  const struct profile_arc exactly[] = {
      {0, 1, 500, 0, 0}, {2, 1, 490, 0, 0}, {3, 4, 4, 0, 0}, {4, 3, 2, 0, 0},
      {1, 0, 2, 0, 0},   {1, 2, 1, 0, 0},   {0, 3, 1, 0, 0}};
  const struct profile_arc to_placed[] = {{0, 1, 990, 0, 0},
                                          {0, 3, 4, 0, 0},
                                          {3, 2, 3, 0, 0},
                                          {1, 0, 2, 0, 0},
                                          {2, 3, 1, 0, 0}};

  (void)state;
  expect_functions(exactly, N_OF(exactly), 5, "abcde");
  // The chain of a and b has its place: d begins one of its own.
  expect_functions(to_placed, N_OF(to_placed), 4, "abdc");
}

static void no_calls_no_order(void **state) {
  const struct profile_arc arcs[] = {{2, 1, 0, 0, 0}, {1, 1, 7, 0, 0}};

  (void)state;
  expect_functions(arcs, N_OF(arcs), 3, "abc");
  expect_functions(NULL, 0, 0, "");
}

static void files_in_order_of_first_call(void **state) {
  const struct profile_arc arcs[] = {{3, 4, 1, 0, 0},
                                     {1, 2, 1000, 0, 0},
                                     {0, 4, 1000, 0, 0},
                                     {4, 3, 1000, 0, 0}};
  const bool is_file[] = {false, true, true, true, true, true};
  const struct arc_order_graph graph = {
      .n_symbols = 6, .n_nodes = 6, .arcs = arcs, .n_arcs = N_OF(arcs)};
  struct arc_order order;
  struct err err;

  (void)state;
  assert_int_equal(arc_order_files(&graph, is_file, &order, &err), 0);
  expect_order(&order, "debcf");
}

/** A function that all call, many small ones: it comes first. */
static void popular_functions_come_first(void **state) {
  enum { N = 200, POPULAR = 150 };
  struct profile_arc arcs[2 * N];
  size_t n_arcs = 0;
  bool has[N] = {false};
  struct arc_order order;
  struct err err;

  (void)state;
  for (uint32_t i = 0; i < N; i++)
    arcs[n_arcs++] = (struct profile_arc){i, (i + 1) % N, 1, 0, 0};
  for (uint32_t i = 0; i < 40; i++)
    arcs[n_arcs++] = (struct profile_arc){i, POPULAR, 1000, 0, 0};
  for (uint32_t i = 0; i < 20; i++)
    arcs[n_arcs++] = (struct profile_arc){i, POPULAR + 10, 1000, 0, 0};
  const struct arc_order_graph graph = {
      .n_symbols = N, .n_nodes = N, .arcs = arcs, .n_arcs = n_arcs};
  assert_int_equal(arc_order_functions(&graph, false, &order, &err), 0);
  assert_int_equal(order.n_nodes, N);
  assert_int_equal(order.nodes[0], POPULAR);
  assert_int_equal(order.nodes[1], POPULAR + 10);
  for (size_t i = 0; i < N; i++) {
    assert_false(has[order.nodes[i]]);
    has[order.nodes[i]] = true;
  }
  arc_order_release(&order);
  // GNU gprof loses the last one of them.
  assert_int_equal(arc_order_functions(&graph, true, &order, &err), 0);
  assert_int_equal(order.n_nodes, N - 1);
  assert_int_equal(order.nodes[0], POPULAR);
  for (size_t i = 0; i < order.n_nodes; i++)
    assert_int_not_equal(order.nodes[i], POPULAR + 10);
  arc_order_release(&order);
}

enum { N_RING = 300 };

/** A ring, some of which call others as well. Returns how many arcs. */
static size_t make_ring(struct profile_arc *arcs, const uint32_t (*called)[2],
                        size_t n_called) {
  size_t n = 0;

  for (uint32_t i = 0; i < N_RING; i++)
    arcs[n++] = (struct profile_arc){i, (i + 1) % N_RING, 90, 0, 0};
  for (size_t k = 0; k < n_called; k++)
    for (uint32_t i = 0; i < called[k][1]; i++)
      arcs[n++] = (struct profile_arc){i, called[k][0], 1000, 0, 0};
  return n;
}

static void order_ring(const struct profile_arc *arcs, size_t n_arcs,
                       struct arc_order *order) {
  const struct arc_order_graph graph = {
      .n_symbols = N_RING, .n_nodes = N_RING, .arcs = arcs, .n_arcs = n_arcs};
  struct err err;

  assert_int_equal(arc_order_functions(&graph, false, order, &err), 0);
  assert_int_equal(order->n_nodes, N_RING);
}

/** If one popular function calls another, both lose their places: the caller
 * comes after the popular ones, the callee with all others. */
static void popular_pairs_come_later(void **state) {
  static const uint32_t called[][3][2] = {
      {{150, 40}, {170, 30}, {190, 20}}, // the caller is called by more
      {{150, 30}, {170, 40}, {190, 20}},
  };
  struct profile_arc arcs[2 * N_RING];

  (void)state;
  for (size_t i = 0; i < N_OF(called); i++) {
    struct arc_order order;
    size_t n_arcs = make_ring(arcs, called[i], 3);
    arcs[n_arcs++] = (struct profile_arc){150, 170, 1000, 0, 0};
    order_ring(arcs, n_arcs, &order);
    assert_int_equal(order.nodes[0], 190);
    assert_int_equal(order.nodes[1], 150);
    assert_int_not_equal(order.nodes[2], 170);
    arc_order_release(&order);
  }
}

static void equally_popular_functions_stay_in_order(void **state) {
  static const uint32_t called[][2] = {{150, 30}, {170, 30}, {190, 40}};
  struct profile_arc arcs[2 * N_RING];
  struct arc_order order;

  (void)state;
  order_ring(arcs, make_ring(arcs, called, 3), &order);
  assert_int_equal(order.nodes[0], 190);
  assert_int_equal(order.nodes[1], 150);
  assert_int_equal(order.nodes[2], 170);
  arc_order_release(&order);
}

/** Shapes for which searching chains or lists would take hours. */
static void large_graphs_are_quick(void **state) {
  enum { N = 300000 };
  struct profile_arc *const arcs = calloc(3 * N, sizeof(*arcs));
  struct arc_order_graph graph = {.n_symbols = N, .n_nodes = N, .arcs = arcs};
  struct arc_order order;
  struct err err;

  (void)state;
  assert_non_null(arcs);
  for (uint32_t i = 0; i < N; i++) // a chain that grows in its middle
    arcs[graph.n_arcs++] = (struct profile_arc){i / 2, i, N - i, 0, 0};
  for (uint32_t i = 0; i < N; i++) // one that calls all
    arcs[graph.n_arcs++] = (struct profile_arc){0, i, 1, 0, 0};
  for (uint32_t i = 0; i < N; i++) // one that all call
    arcs[graph.n_arcs++] = (struct profile_arc){i, N / 2, 2, 0, 0};
  assert_int_equal(arc_order_functions(&graph, false, &order, &err), 0);
  assert_int_equal(order.n_nodes, N);
  arc_order_release(&order);
  free(arcs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(callers_and_callees_make_chains),
      cmocka_unit_test(nearer_end_is_taken),
      cmocka_unit_test(chains_grow_at_both_ends),
      cmocka_unit_test(rare_calls_come_later),
      cmocka_unit_test(no_calls_no_order),
      cmocka_unit_test(files_in_order_of_first_call),
      cmocka_unit_test(popular_functions_come_first),
      cmocka_unit_test(popular_pairs_come_later),
      cmocka_unit_test(equally_popular_functions_stay_in_order),
      cmocka_unit_test(large_graphs_are_quick),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
