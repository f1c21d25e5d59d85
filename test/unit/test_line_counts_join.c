/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts of lines, calls and functions of several parts of a program, joined;
   and data of functions besides lines. */
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

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static struct err err;

static void *copy_of(const void *array, size_t n_bytes) {
  void *const copy = malloc(n_bytes);

  assert_non_null(copy);
  return memcpy(copy, array, n_bytes);
}

static struct line_counts lines_only(const struct line_count *lines, size_t n) {
  return (struct line_counts){.lines = copy_of(lines, n * sizeof(*lines)),
                              .n_lines = n};
}

static void expect_lines(const struct line_counts *counts,
                         const struct line_count *expected, size_t n) {
  assert_int_equal(counts->n_lines, n);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(counts->lines[i].pos.i_file, expected[i].pos.i_file);
    assert_int_equal(counts->lines[i].pos.line, expected[i].pos.line);
    assert_int_equal(counts->lines[i].count, expected[i].count);
  }
}

static void expect_empty(const struct line_counts *counts) {
  assert_null(counts->lines);
  assert_null(counts->calls);
  assert_null(counts->funcs);
  assert_int_equal(counts->n_lines + counts->n_calls + counts->n_funcs, 0);
}

static void lines_add_up_or_have_the_largest_count(void **state) {
  static const struct line_count lines[] = {
      {{1, 7}, 5}, {{0, 9}, 3}, {{0, 7}, 4}, {{0, 9}, 8}, {{0, 9}, 1}};
  static const struct line_count sums[] = {
      {{0, 7}, 4}, {{0, 9}, 12}, {{1, 7}, 5}};
  static const struct line_count largest[] = {
      {{0, 7}, 4}, {{0, 9}, 8}, {{1, 7}, 5}};
  struct line_counts counts = lines_only(lines, N_OF(lines));

  (void)state;
  assert_int_equal(line_counts_join(&counts, LINE_COUNTS_SUM, &err), 0);
  expect_lines(&counts, sums, N_OF(sums));
  line_counts_release(&counts);
  expect_empty(&counts);
  counts = lines_only(lines, N_OF(lines));
  assert_int_equal(line_counts_join(&counts, LINE_COUNTS_MAX, &err), 0);
  expect_lines(&counts, largest, N_OF(largest));
  line_counts_release(&counts);
}

static void calls_add_up_by_callee(void **state) {
  static const struct line_call calls[] = {{{0, 3}, "b", 2},
                                           {{0, 3}, "a", 1},
                                           {{0, 3}, "b", 4},
                                           {{0, 4}, "b", 8},
                                           {{0, 2}, "c", 16}};
  static const struct line_call expected[] = {
      {{0, 2}, "c", 16}, {{0, 3}, "a", 1}, {{0, 3}, "b", 6}, {{0, 4}, "b", 8}};
  struct line_counts counts = {.calls = copy_of(calls, sizeof(calls)),
                               .n_calls = N_OF(calls)};

  (void)state;
  assert_int_equal(line_counts_join(&counts, LINE_COUNTS_MAX, &err), 0);
  assert_int_equal(counts.n_calls, N_OF(expected));
  for (size_t i = 0; i < N_OF(expected); i++) {
    assert_int_equal(counts.calls[i].pos.line, expected[i].pos.line);
    assert_string_equal(counts.calls[i].callee, expected[i].callee);
    assert_int_equal(counts.calls[i].count, expected[i].count);
  }
  line_counts_release(&counts);
}

/** Of the instances of a function, the one with the most lines run. */
static void functions_have_the_blocks_of_the_best_instance(void **state) {
  static const struct line_func funcs[] = {
      {.pos = {0, 3},
       .name = "f",
       .last_line = 5,
       .n_entries = 1,
       .n_blocks = 4,
       .n_run_blocks = 1},
      {.pos = {0, 3}, .name = "g", .last_line = 9, .n_entries = 2},
      {.pos = {0, 3},
       .name = "f",
       .last_line = 7,
       .n_entries = 4,
       .n_blocks = 6,
       .n_run_blocks = 3},
      {.pos = {0, 3},
       .name = "f",
       .last_line = 6,
       .n_entries = 8,
       .n_blocks = 5,
       .n_run_blocks = 2},
      {.pos = {0, 1}, .name = "h", .last_line = 2, .n_entries = 16},
  };
  struct line_counts counts = {.funcs = copy_of(funcs, sizeof(funcs)),
                               .n_funcs = N_OF(funcs)};

  (void)state;
  assert_int_equal(line_counts_join(&counts, LINE_COUNTS_SUM, &err), 0);
  assert_int_equal(counts.n_funcs, 3);
  assert_string_equal(counts.funcs[0].name, "h");
  assert_int_equal(counts.funcs[0].n_entries, 16);
  assert_string_equal(counts.funcs[1].name, "f");
  assert_int_equal(counts.funcs[1].n_entries, 13);
  assert_int_equal(counts.funcs[1].last_line, 7);
  assert_int_equal(counts.funcs[1].n_blocks, 6);
  assert_int_equal(counts.funcs[1].n_run_blocks, 3);
  assert_string_equal(counts.funcs[2].name, "g");
  assert_int_equal(counts.funcs[2].n_entries, 2);
  line_counts_release(&counts);
}

static void another_part_is_added(void **state) {
  static struct line_count more_lines[] = {{{0, 2}, 10}, {{0, 1}, 20}};
  static struct line_call more_calls[] = {{{0, 2}, "a", 30}};
  static struct line_func more_funcs[] = {
      {.pos = {0, 1}, .name = "f", .n_entries = 40}};
  static const struct line_count expected[] = {{{0, 1}, 20}, {{0, 2}, 20}};
  const struct line_counts more = {.lines = more_lines,
                                   .n_lines = 2,
                                   .calls = more_calls,
                                   .n_calls = 1,
                                   .funcs = more_funcs,
                                   .n_funcs = 1};
  const struct line_counts nothing = {0};
  struct line_counts counts = lines_only(more_lines, 1);

  (void)state;
  assert_int_equal(line_counts_add(&counts, &more, &err), 0);
  expect_lines(&counts, expected, N_OF(expected));
  assert_int_equal(counts.n_calls, 1);
  assert_int_equal(counts.calls[0].count, 30);
  assert_int_equal(counts.n_funcs, 1);
  assert_int_equal(counts.funcs[0].n_entries, 40);
  assert_int_equal(line_counts_add(&counts, &nothing, &err), 0);
  assert_int_equal(line_counts_add(&counts, &more, &err), 0);
  assert_int_equal(counts.n_lines, 2);
  assert_int_equal(counts.lines[0].count, 40);
  assert_int_equal(counts.calls[0].count, 60);
  assert_int_equal(counts.funcs[0].n_entries, 80);
  line_counts_release(&counts);
  expect_empty(&counts);
}

/** Four blocks: on the first line, on a later one that never ran, on a line of
 * another file, and on none. */
static void blocks_and_last_line_are_the_functions_own(void **state) {
  struct flow_line lines[] = {{0, 5}, {0, 8}, {1, 99}, {0, 7}, {0, 3}};
  struct flow_node nodes[] = {
      {.first_line = 0, .n_lines = 1, .count = 1},
      {.first_line = 1, .n_lines = 1},
      {.first_line = 2, .n_lines = 2, .count = 2},
      {.first_line = 4, .count = 3},
      {.first_line = 4, .n_lines = 1},
  };
  struct flow_func funcs[] = {
      {.name = "g", .pos = {0, 3}, .first_node = 4, .n_nodes = 1},
      {.name = "f", .pos = {0, 5}, .n_nodes = 4},
  };
  const struct flow_data flow = {.funcs = funcs,
                                 .n_funcs = 2,
                                 .nodes = nodes,
                                 .n_nodes = 5,
                                 .lines = lines,
                                 .n_lines = 5};
  struct line_counts counts = {(struct line_count *)lines, 1, NULL, 1, NULL, 1};

  (void)state;
  assert_int_equal(line_counts_build(&flow, &counts, NULL, &err), 0);
  assert_int_equal(counts.n_funcs, 2);
  assert_string_equal(counts.funcs[0].name, "g");
  assert_int_equal(counts.funcs[0].last_line, 3);
  assert_int_equal(counts.funcs[0].n_blocks, 1);
  assert_int_equal(counts.funcs[0].n_run_blocks, 0);
  assert_string_equal(counts.funcs[1].name, "f");
  assert_int_equal(counts.funcs[1].last_line, 8);
  assert_int_equal(counts.funcs[1].n_blocks, 4);
  assert_int_equal(counts.funcs[1].n_run_blocks, 3);
  line_counts_release(&counts);
}

/** More copies of three functions than the initial room.
 */
static void copies_of_functions_add_up_by_name(void **state) {
  enum { N_FUNCS = 300, N_LINES = 400 };
  static const char *const names[] = {"c", "a", "b"};
  static struct flow_line lines[N_LINES];
  static struct flow_node nodes[N_FUNCS];
  static struct flow_func funcs[N_FUNCS];
  static struct arcline_edge edges[N_FUNCS];
  const struct flow_data flow = {.funcs = funcs,
                                 .n_funcs = N_FUNCS,
                                 .nodes = nodes,
                                 .n_nodes = N_FUNCS,
                                 .edges = edges,
                                 .n_edges = N_FUNCS,
                                 .lines = lines,
                                 .n_lines = N_LINES};
  struct line_counts counts;
  struct line_instances instances;
  uint64_t sums[3] = {0};

  (void)state;
  for (uint32_t i = 0; i < N_LINES; i++)
    lines[i] = (struct flow_line){i % 2, N_LINES - i};
  for (uint32_t i = 0; i < N_FUNCS; i++) {
    nodes[i] = (struct flow_node){.n_lines = N_LINES, .count = i};
    funcs[i] = (struct flow_func){.name = names[i % 3],
                                  .first_node = i,
                                  .n_nodes = 1,
                                  .first_edge = i,
                                  .n_edges = 1};
    edges[i] = (struct arcline_edge){
        .from = 1, .kind = ARCLINE_EDGE_ENTRY, .count = i};
    sums[i % 3] += i;
  }
  assert_int_equal(line_counts_build(&flow, &counts, &instances, &err), 0);
  assert_int_equal(counts.n_lines, N_LINES);
  assert_int_equal(instances.n_lines, 3 * N_LINES);
  for (size_t i = 0; i < N_LINES; i++) {
    const struct line_instance *const those = &instances.lines[3 * i];
    // First those of file 0, which have the even lines.
    assert_int_equal(counts.lines[i].pos.line,
                     i < N_LINES / 2 ? 2 * i + 2 : 2 * i + 1 - N_LINES);
    assert_int_equal(counts.lines[i].count, sums[0] + sums[1] + sums[2]);
    for (size_t k = 0; k < 3; k++) {
      assert_int_equal(those[k].pos.line, counts.lines[i].pos.line);
      assert_string_equal(those[k].name, names[(k + 1) % 3]);
      assert_int_equal(those[k].count, sums[(k + 1) % 3]);
    }
  }
  line_counts_release(&counts);
  line_instances_release(&instances);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_add_up_or_have_the_largest_count),
      cmocka_unit_test(calls_add_up_by_callee),
      cmocka_unit_test(functions_have_the_blocks_of_the_best_instance),
      cmocka_unit_test(another_part_is_added),
      cmocka_unit_test(blocks_and_last_line_are_the_functions_own),
      cmocka_unit_test(copies_of_functions_add_up_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
