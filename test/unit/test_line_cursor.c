/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lines of a file in order, each with its stretches of data.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "counts/branch_counts.h"
#include "counts/code_lines.h"
#include "counts/line_counts.h"
#include "counts/line_cursor.h"

static struct line_count lines[] = {
    {{0, 9}, 1}, {{1, 2}, 5}, {{1, 8}, 0}, {{2, 3}, 4}};
static struct line_call calls[] = {{.pos = {1, 8}}, {.pos = {1, 8}}};
static struct line_func funcs[] = {
    {.pos = {1, 1}}, {.pos = {1, 5}}, {.pos = {2, 1}}};
static struct line_time times_of[] = {{{1, 5}, 3.5}, {{1, 8}, 0.25}};
static struct line_instance instances_of[] = {
    {.pos = {1, 2}}, {.pos = {1, 2}}, {.pos = {1, 8}}, {.pos = {2, 3}}};
static struct branch_block blocks[] = {{.pos = {1, 2}}, {.pos = {2, 2}}};

static const struct line_counts counts = {.lines = lines,
                                          .n_lines = 4,
                                          .calls = calls,
                                          .n_calls = 2,
                                          .funcs = funcs,
                                          .n_funcs = 3};
static const struct line_times times = {.lines = times_of, .n_lines = 2};
static const struct line_instances instances = {.lines = instances_of,
                                                .n_lines = 4};
static const struct branch_counts branches = {.blocks = blocks, .n_blocks = 2};

/* Of file 1. */
static struct line_cursor begin(uint32_t n_lines) {
  return (struct line_cursor){.counts = &counts,
                              .times = &times,
                              .instances = &instances,
                              .branches = &branches,
                              .rest = {.first_line = 1,
                                       .end_line = 3,
                                       .end_call = 2,
                                       .end_func = 2,
                                       .end_time = 2,
                                       .end_instance = 3,
                                       .end_branch = 1},
                              .n_lines = n_lines};
}

static void assert_lines(uint32_t n_lines, const uint32_t *wanted, size_t n) {
  struct line_cursor cursor = begin(n_lines);
  struct line_facts facts;

  for (size_t i = 0; i < n; i++) {
    assert_true(line_cursor_next(&cursor, &facts));
    assert_int_equal(facts.line, wanted[i]);
  }
  assert_false(line_cursor_next(&cursor, &facts));
}

static void all_lines_of_a_text_come_and_known_ones_after_it(void **state) {
  (void)state;
  assert_lines(0, (uint32_t[]){1, 2, 5, 8}, 4);
  assert_lines(3, (uint32_t[]){1, 2, 3, 5, 8}, 5);
  assert_lines(9, (uint32_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 9);
}

/** The first line of a text is visited though it has no data. */
static void a_text_begins_with_its_first_line(void **state) {
  struct line_cursor cursor = begin(3);
  struct line_facts facts;

  (void)state;
  cursor.rest = (struct line_stretch){.end_time = 1};
  for (uint32_t line = 1; line < 4; line++) {
    assert_true(line_cursor_next(&cursor, &facts));
    assert_int_equal(facts.line, line);
  }
  assert_true(line_cursor_next(&cursor, &facts));
  assert_int_equal(facts.line, 5);
  assert_false(line_cursor_next(&cursor, &facts));
}

/** Stretches by number of elements; they begin where those before end. */
static void expect_next(struct line_cursor *cursor, struct line_stretch *before,
                        const struct line_facts *expected, const size_t *n) {
  struct line_facts facts;

  assert_true(line_cursor_next(cursor, &facts));
  assert_int_equal(facts.line, expected->line);
  assert_int_equal(facts.has_count, expected->has_count);
  assert_int_equal(facts.count, expected->count);
  assert_true(facts.n_samples >= expected->n_samples &&
              facts.n_samples <= expected->n_samples);
  const struct line_stretch at = facts.at;
  assert_int_equal(at.first_line, before->first_line);
  assert_int_equal(at.first_call, before->first_call);
  assert_int_equal(at.first_func, before->first_func);
  assert_int_equal(at.first_time, before->first_time);
  assert_int_equal(at.first_instance, before->first_instance);
  assert_int_equal(at.first_branch, before->first_branch);
  assert_int_equal(at.end_line - at.first_line, expected->has_count);
  assert_int_equal(at.end_call - at.first_call, n[0]);
  assert_int_equal(at.end_func - at.first_func, n[1]);
  assert_int_equal(at.end_time - at.first_time, expected->n_samples > 0);
  assert_int_equal(at.end_instance - at.first_instance, n[2]);
  assert_int_equal(at.end_branch - at.first_branch, n[3]);
  *before = (struct line_stretch){.first_line = at.end_line,
                                  .first_call = at.end_call,
                                  .first_func = at.end_func,
                                  .first_time = at.end_time,
                                  .first_instance = at.end_instance,
                                  .first_branch = at.end_branch};
}

static void a_line_has_what_is_known_of_it(void **state) {
  static const struct line_facts expected[] = {
      {.line = 1},
      {.line = 2, .has_count = true, .count = 5},
      {.line = 5, .n_samples = 3.5},
      {.line = 8, .has_count = true, .n_samples = 0.25}};
  // Calls, functions, instances and branches.
  static const size_t n[][4] = {
      {0, 1, 0, 0}, {0, 0, 2, 1}, {0, 1, 0, 0}, {2, 0, 1, 0}};
  struct line_cursor cursor = begin(0);
  struct line_stretch before = cursor.rest;

  (void)state;
  for (size_t i = 0; i < 4; i++)
    expect_next(&cursor, &before, &expected[i], n[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_lines_of_a_text_come_and_known_ones_after_it),
      cmocka_unit_test(a_text_begins_with_its_first_line),
      cmocka_unit_test(a_line_has_what_is_known_of_it),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
