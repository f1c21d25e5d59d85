/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Decoding of encoded graphs, plans and terms (solve/graph.h, plan.h, flow.h),
   bit by bit. test_flow.c tests that solving gives the right counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/flow.h"

static struct arcline_cursor cursor_over(const uint8_t *bytes, size_t n) {
  return (struct arcline_cursor){bytes, bytes + n, 0};
}

static void test_plan_heads(void **unused) {
  static const uint8_t empty[] = {0, 0};
  static const uint8_t alone[] = {0, 3};
  static const uint8_t exit_only[] = {1, 1, 1};
  static const uint8_t many_nodes[] = {4, 1, 0, 0, 0};
  static const uint8_t many_edges[] = {1, 4, 0, 0, 0};
  struct arcline_plan_head head;
  struct arcline_cursor cursor = cursor_over(empty, sizeof(empty));

  (void)unused;
  assert_int_equal(arcline_read_plan_head(&cursor, 0, &head), 0);
  cursor = cursor_over(alone, sizeof(alone));
  assert_int_equal(arcline_read_plan_head(&cursor, 3, &head), 0);
  cursor = cursor_over(alone, sizeof(alone));
  assert_int_equal(arcline_read_plan_head(&cursor, 2, &head), -1);
  cursor = cursor_over(exit_only, sizeof(exit_only));
  assert_int_equal(arcline_read_plan_head(&cursor, 0, &head), 0);
  assert_int_equal(head.n_edges, 1);
  cursor = cursor_over(many_nodes, sizeof(many_nodes));
  assert_int_equal(arcline_read_plan_head(&cursor, 9, &head), -1);
  cursor = cursor_over(many_edges, sizeof(many_edges));
  assert_int_equal(arcline_read_plan_head(&cursor, 9, &head), -1);
  cursor = cursor_over(exit_only, 1);
  assert_int_equal(arcline_read_plan_head(&cursor, 0, &head), -1);
}

/* Only cells: they are the edges. */
static void test_plan_without_nodes(void **unused) {
  static const uint8_t bytes[] = {0, 2};
  static const uint64_t cells[] = {5, 6, 7};
  struct arcline_plan_head head;
  struct arcline_cursor cursor = cursor_over(bytes, sizeof(bytes));
  uint64_t counts[3] = {0};

  (void)unused;
  assert_int_equal(arcline_read_plan_head(&cursor, 3, &head), 0);
  assert_int_equal(
      solve_flow_plan(&cursor, &head, cells, 3, NULL, NULL, counts), 0);
  assert_int_equal(counts[0], 5);
  assert_int_equal(counts[1], 6);
  assert_int_equal(counts[2], 0);
}

static void test_terms(void **unused) {
  // Counter 0 has none, 1 is edge 0 five times and edges 1 and 2, 2 is edge 3,
  // 3 has none, 4 is edge 4 three hundred times.
  static const uint8_t terms[] = {1, 5 << 2 | 3, 2, 1 << 2, 1, 3, 0xac, 2};
  static const uint64_t counts[] = {10, 1000, 7, 20, 3};
  struct arcline_copy_terms copy = {counts, 5,
                                    cursor_over(terms, sizeof(terms))};
  uint64_t values[5] = {1, 1, 1, 1, 1};

  (void)unused;
  assert_int_equal(solve_flow_terms(&copy, values, 5), 0);
  assert_int_equal(values[0], 1);
  assert_int_equal(values[1], 1 + 50 + 1000 + 7);
  assert_int_equal(values[2], 1 + 20);
  assert_int_equal(values[3], 1);
  assert_int_equal(values[4], 1 + 900);
  assert_int_equal(solve_flow_terms(&copy, values, 4), -1);
  copy.n_edges = 4;
  assert_int_equal(solve_flow_terms(&copy, values, 5), -1);
  copy.n_edges = 6;
  assert_int_equal(solve_flow_terms(&copy, values, 5), -1);
  copy.n_edges = 5;
  for (size_t n = 1; n < sizeof(terms); n++) {
    copy.terms = cursor_over(terms, n);
    assert_int_equal(solve_flow_terms(&copy, values, 5), -1);
  }
}

static void test_edges_as_counters(void **unused) {
  static const uint64_t counts[] = {7, 10};
  const struct arcline_copy_terms copy = {counts, 2, {0}};
  uint64_t values[3] = {1, 1, 1};

  (void)unused;
  assert_int_equal(solve_flow_terms(&copy, values, 2), 0);
  assert_int_equal(values[0], 8);
  assert_int_equal(values[1], 11);
  assert_int_equal(solve_flow_terms(&copy, values, 1), -1);
  assert_int_equal(solve_flow_terms(&copy, values, 3), -1);
}

static void test_copies(void **unused) {
  static const uint8_t bytes[] = {2, 0, 1, 2, 9, 9, 1, 0};
  static const uint64_t counts[4];
  struct arcline_copy_terms copy;
  uint32_t edge = 0;
  struct arcline_cursor cursor = cursor_over(bytes, sizeof(bytes));

  (void)unused;
  assert_int_equal(solve_flow_copy(&cursor, counts, 3, &edge, &copy), 0);
  assert_int_equal(copy.n_edges, 2);
  assert_int_equal(edge, 2);
  assert_int_equal(solve_flow_copy(&cursor, counts, 3, &edge, &copy), 0);
  assert_ptr_equal(copy.counts, counts + 2);
  assert_int_equal(copy.terms.end - copy.terms.at, 2);
  assert_ptr_equal(cursor.at, bytes + 6);
  // No edge is left.
  assert_int_equal(solve_flow_copy(&cursor, counts, 3, &edge, &copy), -1);
  cursor = cursor_over(bytes, 5);
  edge = 0;
  assert_int_equal(solve_flow_copy(&cursor, counts, 3, &edge, &copy), 0);
  assert_int_equal(solve_flow_copy(&cursor, counts, 3, &edge, &copy), -1);
}

/* One call, then a number: skipped, or decoded. */
static void test_behind_the_edges(void **unused) {
  static const struct arcline_graph_head head = {.n_nodes = 2};
  static const uint8_t bytes[] = {1, 1, 0x88, 1, 42};
  struct arcline_cursor cursor = cursor_over(bytes, sizeof(bytes));
  struct arcline_call call;

  (void)unused;
  assert_int_equal(arcline_read_length(&cursor, ARCLINE_CALL_BYTES), 1);
  struct arcline_cursor other = cursor;
  assert_int_equal(arcline_read_call(&cursor, &head, &call), 0);
  assert_int_equal(call.node, 1);
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
  // name, n_nodes, n_edges and three more bytes
  static const uint8_t fits[] = {1, 3, 3, 0, 0, 0};
  static const uint8_t many_nodes[] = {1, 4, 3, 0, 0, 0};
  static const uint8_t many_edges[] = {1, 3, 4, 0, 0, 0};
  static const uint8_t no_node[] = {1, 0, 3, 0, 0, 0};
  struct arcline_graph_head head;
  struct arcline_cursor cursor = cursor_over(fits, sizeof(fits));

  (void)unused;
  assert_int_equal(arcline_read_graph_head(&cursor, &head), 0);
  assert_int_equal(head.name, 1);
  assert_int_equal(head.n_edges, 3);
  cursor = cursor_over(many_nodes, sizeof(many_nodes));
  assert_int_equal(arcline_read_graph_head(&cursor, &head), -1);
  cursor = cursor_over(many_edges, sizeof(many_edges));
  assert_int_equal(arcline_read_graph_head(&cursor, &head), -1);
  cursor = cursor_over(no_node, sizeof(no_node));
  assert_int_equal(arcline_read_graph_head(&cursor, &head), -1);
  cursor = cursor_over(fits, 2);
  assert_int_equal(arcline_read_graph_head(&cursor, &head), -1);
}

static void test_edges(void **unused) {
  static const struct arcline_graph_head head = {.n_nodes = 5, .n_edges = 1};
  // EXIT -> 0, EXIT -> 3, 0 -> 4, none from 1, 2 -> EXIT
  static const uint8_t good[] = {1 << 5 | 8 | 3, 0x80 | (7 & 3) << 5 | 8 | 6,
                                 7 >> 2,         0x80 | (7 & 3) << 5 | 16 | 1,
                                 7 >> 2,         16 | 7,
                                 16 | 8 | 4};
  static const uint8_t before_0[] = {2 << 5};
  static const uint8_t behind_the_last[] = {0x80 | (11 & 3) << 5, 11 >> 2};
  const struct arcline_edge_place begin = {5, 0};
  struct arcline_edge_place place = begin;
  struct arcline_edge edge;
  struct arcline_cursor cursor = cursor_over(good, sizeof(good));

  (void)unused;
  assert_int_equal(arcline_read_edge(&cursor, &head, 3, &place, &edge), 0);
  assert_int_equal(edge.from, 5);
  assert_int_equal(edge.to, 0);
  assert_int_equal(edge.counter, 0);
  assert_int_equal(edge.kind, ARCLINE_EDGE_ENTRY);
  assert_int_equal(arcline_read_edge(&cursor, &head, 3, &place, &edge), 0);
  assert_int_equal(edge.from, 5);
  assert_int_equal(edge.to, 3);
  assert_int_equal(edge.counter, 1);
  assert_int_equal(arcline_read_edge(&cursor, &head, 3, &place, &edge), 0);
  assert_int_equal(edge.from, 0);
  assert_int_equal(edge.to, 4);
  assert_int_equal(edge.counter, ARCLINE_NO_COUNTER);
  struct arcline_cursor other = cursor;
  struct arcline_edge_place other_place = place;
  assert_int_equal(arcline_read_edge(&cursor, &head, 3, &place, &edge), 0);
  assert_int_equal(edge.from, 2);
  assert_int_equal(edge.to, 5);
  assert_int_equal(edge.kind, ARCLINE_EDGE_EXIT);
  // No counter is left, and then no byte.
  assert_int_equal(arcline_read_edge(&other, &head, 2, &other_place, &edge),
                   -1);
  assert_int_equal(arcline_read_edge(&cursor, &head, 3, &place, &edge), -1);
  place = begin;
  cursor = cursor_over(before_0, sizeof(before_0));
  assert_int_equal(arcline_read_edge(&cursor, &head, 0, &place, &edge), -1);
  cursor = cursor_over(behind_the_last, sizeof(behind_the_last));
  assert_int_equal(arcline_read_edge(&cursor, &head, 0, &place, &edge), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plan_heads),
      cmocka_unit_test(test_plan_without_nodes),
      cmocka_unit_test(test_terms),
      cmocka_unit_test(test_copies),
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
