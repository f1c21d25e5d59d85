/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lines of a file in order, each with its stretches of what is known.
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
static struct line_func funcs[] = {{.pos = {1, 1}}, {.pos = {2, 1}}};
static struct line_time times_of[] = {{{1, 5}, 3.5}};
static struct branch_block blocks[] = {{.pos = {1, 2}}, {.pos = {2, 2}}};

static const struct line_counts counts = {.lines = lines,
                                          .n_lines = 4,
                                          .calls = calls,
                                          .n_calls = 2,
                                          .funcs = funcs,
                                          .n_funcs = 2};
static const struct line_times times = {.lines = times_of, .n_lines = 1};
static const struct line_instances instances = {0};
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
                                       .end_func = 1,
                                       .end_time = 1,
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

static void a_line_has_what_is_known_of_it(void **state) {
  struct line_cursor cursor = begin(0);
  struct line_facts facts;

  (void)state;
  assert_true(line_cursor_next(&cursor, &facts)); // 1
  assert_false(facts.has_count);
  assert_int_equal(facts.at.end_func - facts.at.first_func, 1);
  assert_int_equal(facts.at.end_branch - facts.at.first_branch, 0);
  assert_true(line_cursor_next(&cursor, &facts)); // 2
  assert_true(facts.has_count);
  assert_int_equal(facts.count, 5);
  assert_int_equal(facts.at.end_func - facts.at.first_func, 0);
  assert_int_equal(facts.at.end_branch - facts.at.first_branch, 1);
  assert_true(line_cursor_next(&cursor, &facts)); // 5
  assert_false(facts.has_count);
  assert_true(facts.n_samples > 3 && facts.n_samples < 4);
  assert_int_equal(facts.at.end_call - facts.at.first_call, 0);
  assert_true(line_cursor_next(&cursor, &facts)); // 8
  assert_true(facts.has_count);
  assert_int_equal(facts.count, 0);
  assert_true(facts.n_samples < 1);
  assert_int_equal(facts.at.first_call, 0);
  assert_int_equal(facts.at.end_call, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_lines_of_a_text_come_and_known_ones_after_it),
      cmocka_unit_test(a_line_has_what_is_known_of_it),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
