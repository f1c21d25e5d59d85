/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums by address: joined records, their order, and rejected ones. */
#include <stdlib.h>

#include "image/image.h"
#include "made_measure.h"

static void expect_histogram(size_t i, uint64_t low, uint64_t high,
                             size_t n_filled) {
  assert_true(i < measure.n_histograms);
  assert_int_equal(measure.histograms[i].low_pc, low);
  assert_int_equal(measure.histograms[i].high_pc, high);
  assert_int_equal(measure.histograms[i].n_filled, n_filled);
}

static void expect_block(size_t i, uint64_t vaddr, uint64_t count) {
  assert_true(i < measure.n_blocks);
  assert_int_equal(measure.blocks[i].vaddr, vaddr);
  assert_int_equal(measure.blocks[i].count, count);
}

static void expect_arc(size_t i, uint64_t from, uint64_t self, uint64_t count) {
  assert_true(i < measure.n_arcs);
  assert_int_equal(measure.arcs[i].from_pc, from);
  assert_int_equal(measure.arcs[i].self_pc, self);
  assert_int_equal(measure.arcs[i].count, count);
}

static void equal_addresses_of_several_files_are_summed(void **state) {
  static const uint16_t first_bins[] = {0, 2, 0, 4};
  static const uint16_t second_bins[] = {1, 0, 0, 5};
  struct builder first = made_gmon("12345678");
  struct builder second = made_gmon("12345678");

  (void)state;
  made_histogram(&first, 0x1000, 0x1008, first_bins, 4);
  made_arc(&first, 0x1004, 0x1000, 3);
  made_block(&first, 0x1000, 7);
  made_histogram(&second, 0x1000, 0x1008, second_bins, 4);
  made_arc(&second, 0x1004, 0x1000, 5);
  made_block(&second, 0x1000, 8);
  assert_int_equal(add(&first, "x"), 0);
  add_and_finish(&second);
  assert_int_equal(measure.n_histograms, 1);
  expect_histogram(0, 0x1000, 0x1008, 3);
  expect_bin(0, 0, 0, 1);
  expect_bin(0, 1, 1, 2);
  expect_bin(0, 2, 3, 9);
  assert_int_equal(measure.n_arcs, 1);
  expect_arc(0, 0x1004, 0x1000, 8);
  assert_int_equal(measure.n_blocks, 1);
  expect_block(0, 0x1000, 15);
}

static void all_is_in_order_of_first_appearance(void **state) {
  static const uint16_t bins[] = {1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  for (int i = 0; i < 2; i++) {
    made_histogram(&builder, 0x3000, 0x3002, bins, 1);
    made_histogram(&builder, 0x1000, 0x1002, bins, 1);
    made_arc(&builder, 0x2004, 0x1000, 1);
    made_arc(&builder, 0x1004, 0x3000, 2);
    made_arc(&builder, 0x1004, 0x2000, 3);
    made_arc(&builder, 0, 0x9000, 4);
    made_arc(&builder, UINT64_MAX, UINT64_MAX, 5);
    made_block(&builder, UINT64_MAX, 1);
    made_block(&builder, 0x1000, 2);
  }
  add_and_finish(&builder);
  assert_int_equal(measure.n_histograms, 2);
  expect_histogram(0, 0x3000, 0x3002, 1);
  expect_histogram(1, 0x1000, 0x1002, 1);
  assert_int_equal(measure.n_arcs, 5);
  expect_arc(0, 0x2004, 0x1000, 2);
  expect_arc(1, 0x1004, 0x3000, 4);
  expect_arc(2, 0x1004, 0x2000, 6);
  expect_arc(3, 0, 0x9000, 8);
  expect_arc(4, UINT64_MAX, UINT64_MAX, 10);
  assert_int_equal(measure.n_blocks, 2);
  expect_block(0, UINT64_MAX, 2);
  expect_block(1, 0x1000, 4);
}

static void sums_go_beyond_the_width_of_their_fields(void **state) {
  static const uint16_t bins[] = {0xffff};
  struct builder builder = made_gmon("12345678");

  (void)state;
  for (int i = 0; i < 3; i++) {
    made_histogram(&builder, 0x1000, 0x1002, bins, 1);
    made_arc(&builder, 0x1004, 0x1000, UINT32_MAX);
    made_block(&builder, 0x1000, (uint64_t)1 << 62);
  }
  add_and_finish(&builder);
  expect_bin(0, 0, 0, 3 * 0xffff);
  expect_arc(0, 0x1004, 0x1000, 3 * (uint64_t)UINT32_MAX);
  expect_block(0, 0x1000, (uint64_t)3 << 62);
}

static void more_than_fits_at_first_is_kept(void **state) {
  (void)state;
  for (int round = 0; round < 2; round++)
    for (uint64_t i = 500; i-- > 0;) {
      struct builder builder = made_gmon("12345678");
      static const uint16_t bins[] = {2};
      made_histogram(&builder, 0x1000 + 2 * i, 0x1002 + 2 * i, bins, 1);
      made_arc(&builder, 0x1000 + i, 0x2000, 3);
      made_block(&builder, 0x1000 + i, 5);
      assert_int_equal(add(&builder, "x"), 0);
    }
  measure_finish(&measure);
  assert_int_equal(measure.n_histograms, 500);
  assert_int_equal(measure.n_arcs, 500);
  assert_int_equal(measure.n_blocks, 500);
  for (uint64_t i = 0; i < 500; i++) {
    expect_histogram(i, 0x1000 + 2 * (499 - i), 0x1002 + 2 * (499 - i), 1);
    expect_bin(i, 0, 0, 4);
    expect_arc(i, 0x1000 + 499 - i, 0x2000, 6);
    expect_block(i, 0x1000 + 499 - i, 10);
  }
}

/** Arcs whose look-ups would begin at the same key are distinguished. */
static void arcs_of_equal_keys_are_different(void **state) {
  const uint64_t step = 0x9e3779b97f4a7c15; // as in key_of()
  struct builder builder = made_gmon("12345678");

  (void)state;
  for (int round = 0; round < 2; round++)
    for (uint64_t i = 0; i < 8; i++)
      made_arc(&builder, 0x1000 + i, 0x4000000000000000 - i * step, 1);
  add_and_finish(&builder);
  assert_int_equal(measure.n_arcs, 8);
  for (uint64_t i = 0; i < 8; i++)
    expect_arc(i, 0x1000 + i, 0x4000000000000000 - i * step, 2);
}

/** So is one that is found at the key of another of the same caller. */
static void arcs_that_gave_way_are_different(void **state) {
  const uint64_t step = 0x9e3779b97f4a7c15; // as in key_of()
  struct builder builder = made_gmon("12345678");

  (void)state;
  for (int round = 0; round < 2; round++) {
    made_arc(&builder, 0x1001, 0x2000 - step, 1);
    made_arc(&builder, 0x1000, 0x2000, 2); // goes to the next key
    made_arc(&builder, 0x1000, 0x2001, 4);
  }
  add_and_finish(&builder);
  assert_int_equal(measure.n_arcs, 3);
  expect_arc(0, 0x1001, 0x2000 - step, 2);
  expect_arc(1, 0x1000, 0x2000, 4);
  expect_arc(2, 0x1000, 0x2001, 8);
}

static void samples_are_counted(void **state) {
  static const uint16_t bins[] = {3, 0, 5, 7}, more[] = {1, 2, 0, 0};
  struct builder builder = made_gmon("12345678");

  (void)state;
  assert_true(measure_n_samples(&measure) == 0);
  made_histogram(&builder, 0x1000, 0x1010, bins, 4);
  made_histogram(&builder, 0x2000, 0x2010, more, 4);
  add_and_finish(&builder);
  assert_true(measure_n_samples(&measure) == 18);
}

/** A block that never ran is recorded as such; an empty bin has no meaning. */
static void zero_is_a_count_of_blocks_and_arcs_only(void **state) {
  static const uint16_t bins[] = {0, 0};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1004, bins, 2);
  made_arc(&builder, 0x1004, 0x1000, 0);
  made_block(&builder, 0x1000, 0);
  add_and_finish(&builder);
  assert_true(measure.unit.is_known);
  expect_histogram(0, 0x1000, 0x1004, 0);
  assert_false(measure_has_samples(&measure));
  assert_int_equal(measure.n_arcs, 1);
  assert_int_equal(measure.n_blocks, 1);
}

/** Check the calls, of which there are n. */
static void expect_calls(const struct measure_call *expected, size_t n) {
  struct measure_call *calls;
  size_t n_calls;

  assert_int_equal(measure_calls(&measure, &calls, &n_calls, &err), 0);
  assert_int_equal(n_calls, n);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(calls[i].vaddr, expected[i].vaddr);
    assert_int_equal(calls[i].self_vaddr, expected[i].self_vaddr);
    assert_int_equal(calls[i].count, expected[i].count);
  }
  free(calls);
}

/** Others than Arcline record the byte after the call. Addresses of files are
 * kept, for looking up symbols as GNU gprof does. */
static void callers_are_inside_of_their_calls(void **state) {
  static const struct measure_call calls[] = {
      {0, 0x1000, 10}, {0x1003, 0x1000, 16}, {0x1004, 0x1000, 5}};
  struct builder ours = made_gmon("12345678");
  struct builder other = made_gmon(NULL);

  (void)state;
  made_arc(&ours, 0x1004, 0x1000, 1);
  made_arc(&ours, 0, 0x1000, 2);
  made_arc(&other, 0x1005, 0x1000, 4);
  made_arc(&other, 0x1004, 0x1000, 16);
  made_arc(&other, 0, 0x1000, 8);
  assert_int_equal(add(&ours, "x"), 0);
  assert_false(measure.has_unmarked);
  add_and_finish(&other);
  assert_true(measure.has_unmarked);
  assert_int_equal(measure.n_arcs, 3);
  expect_arc(0, 0x1004, 0x1000, 17);
  expect_arc(1, 0, 0x1000, 10);
  expect_arc(2, 0x1005, 0x1000, 4);
  expect_calls(calls, 3);
}

static void calls_are_in_order_of_address(void **state) {
  static const struct measure_call calls[] = {{0, 0x9000, 4},
                                              {0x1004, 0x2000, 3},
                                              {0x1004, 0x3000, 2},
                                              {0x2004, 0x1000, 0}};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_arc(&builder, 0x2004, 0x1000, 0);
  made_arc(&builder, 0x1004, 0x3000, 2);
  made_arc(&builder, 0x1004, 0x2000, 3);
  made_arc(&builder, 0, 0x9000, 4);
  add_and_finish(&builder);
  expect_calls(calls, 4);
}

static void calls_never_made_are_where_others_are(void **state) {
  static const struct measure_call calls[] = {{0, 0x1000, 0},
                                              {0x1004, 0x1000, 0}};
  struct builder other = made_gmon(NULL);

  (void)state;
  expect_calls(NULL, 0);
  made_arc(&other, 0x1005, 0x1000, 0);
  made_arc(&other, 0, 0x1000, 0);
  add_and_finish(&other);
  expect_calls(calls, 2);
}

static void blocks_are_kept_on_request(void **state) {
  struct builder builder = made_gmon(NULL);

  (void)state;
  measure.flags = 0;
  made_block(&builder, 0x1000, 1);
  add_and_finish(&builder);
  assert_int_equal(measure.n_blocks, 0);
  assert_false(measure.has_blocks);
  assert_true(measure.ignored_blocks);
  assert_int_equal(contents.n_blocks, 1);
}

static void dropped_blocks_make_room_for_others(void **state) {
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_block(&builder, 0x1000, 1);
  add_and_finish(&builder);
  assert_int_equal(measure.n_blocks, 1);
  measure_drop_blocks(&measure);
  assert_int_equal(measure.n_blocks, 0);
  assert_int_equal(measure.max_blocks, 0);
  assert_null(measure.blocks);
}

static void records_of_a_file_are_counted(void **state) {
  static const uint16_t bins[] = {1, 0};
  struct builder builder = made_gmon(NULL);

  (void)state;
  for (int i = 0; i < 2; i++) {
    made_histogram(&builder, 0x1000, 0x1008, bins, 2);
    made_arc(&builder, 0x1004, 0x1000, 1);
    made_arc(&builder, 0x1004, 0x1000, 1);
    made_block(&builder, 0x1000, 1);
  }
  assert_int_equal(add(&builder, "x"), 0);
  add_and_finish(&builder);
  assert_int_equal(contents.version, 1);
  assert_int_equal(contents.n_histograms, 2);
  assert_int_equal(contents.n_arcs, 4);
  assert_int_equal(contents.n_blocks, 2);
  assert_true(measure.scale == 2);
  assert_true(measure.has_arcs);
  assert_true(measure.has_blocks);
  assert_true(measure_has_samples(&measure));
}

static void bins_of_another_width_are_refused(void **state) {
  static const uint16_t bins[] = {1, 2};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1004, bins, 2);
  made_histogram(&builder, 0x2000, 0x2008, bins, 2);
  assert_int_equal(add(&builder, "x"), -1);
  assert_string_equal(err.text,
                      "x: histogram at offset 65 has bins of 4 bytes, an "
                      "earlier one has bins of 2; report them separately");
}

static void overlap_is_an_error(void **state) {
  static const uint16_t bins[] = {1, 1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1020, bins, 2);
  made_histogram(&builder, 0x0fe0, 0x1000, bins, 2); // adjacent is not
  assert_int_equal(add(&builder, "x"), 0);
  made_histogram(&builder, 0x1010, 0x1030, bins, 2);
  assert_int_equal(add(&builder, "x"), -1);
  assert_string_equal(
      err.text, "x: histogram at offset 110, 0x1010 to 0x1030, overlaps 0x1000 "
                "to 0x1020; do the profiles belong to the same image?");
}

static void too_many_ranges_are_refused(void **state) {
  static const uint16_t bins[] = {1};
  struct builder builder;

  (void)state;
  for (uint64_t i = 0; i < MEASURE_MAX_HISTOGRAMS; i++) {
    builder = made_gmon("12345678");
    made_histogram(&builder, 0x1000 + 16 * i, 0x1010 + 16 * i, bins, 1);
    assert_int_equal(add(&builder, "x"), 0);
  }
  // Known ranges are still added.
  assert_int_equal(add(&builder, "x"), 0);
  expect_bin(MEASURE_MAX_HISTOGRAMS - 1, 0, 0, 2);
  builder = made_gmon("12345678");
  made_histogram(&builder, 0x100, 0x110, bins, 1);
  assert_int_equal(add(&builder, "x"), -1);
}

/** Of a program of several objects: otherwise they would belong to another
 * one. */
static void histograms_are_within_their_image(void **state) {
  static const uint16_t bins[] = {1, 1};
  const struct image image = {
      .path = "lib/x.so", .low_vaddr = 0x1000, .high_vaddr = 0x1040};
  struct builder builder = made_gmon("12345678");

  (void)state;
  measure.image = &image;
  made_histogram(&builder, 0x9000, 0xa000, NULL, 0); // has no meaning
  made_histogram(&builder, 0x1000, 0x1040, bins, 2);
  assert_int_equal(add(&builder, "x"), 0);
  expect_histogram(0, 0x1000, 0x1000, 0);
  expect_histogram(1, 0x1000, 0x1040, 2);
  builder = made_gmon("12345678");
  made_histogram(&builder, 0x1020, 0x1060, bins, 2);
  assert_int_equal(add(&builder, "y"), -1);
  assert_string_equal(err.text,
                      "y: histogram at offset 20, 0x1020 to 0x1060, is outside "
                      "of x.so; does the profile belong to another image?");
}

static void nothing_is_nothing(void **state) {
  struct builder builder = made_gmon("12345678");

  (void)state;
  add_and_finish(&builder);
  assert_false(measure.unit.is_known);
  assert_int_equal(measure.n_histograms, 0);
  assert_int_equal(measure.n_arcs, 0);
  assert_int_equal(measure.n_blocks, 0);
  assert_false(measure.has_arcs);
}

static void damage_is_an_error_whatever_came_before(void **state) {
  static const uint16_t bins[] = {1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1002, bins, 1);
  made_arc(&builder, 0x1004, 0x1000, 1);
  made_block(&builder, 0x1000, 1);
  put(&builder, 3, 1);
  assert_int_equal(add(&builder, "x"), -1);
  assert_int_equal(err.code, ERR_INPUT);
  assert_non_null(strstr(err.text, "x: unknown record tag 3 at offset 105"));
}

static void released_is_empty(void **state) {
  static const uint16_t bins[] = {1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1002, bins, 1);
  made_arc(&builder, 0x1004, 0x1000, 1);
  made_block(&builder, 0x1000, 1);
  add_and_finish(&builder);
  measure_release(&measure);
  assert_false(measure.unit.is_known);
  assert_null(measure.histograms);
  add_and_finish(&builder);
  expect_bin(0, 0, 0, 1);
  expect_arc(0, 0x1004, 0x1000, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      MEASURE_TEST(equal_addresses_of_several_files_are_summed),
      MEASURE_TEST(all_is_in_order_of_first_appearance),
      MEASURE_TEST(sums_go_beyond_the_width_of_their_fields),
      MEASURE_TEST(more_than_fits_at_first_is_kept),
      MEASURE_TEST(arcs_of_equal_keys_are_different),
      MEASURE_TEST(arcs_that_gave_way_are_different),
      MEASURE_TEST(samples_are_counted),
      MEASURE_TEST(zero_is_a_count_of_blocks_and_arcs_only),
      MEASURE_TEST(callers_are_inside_of_their_calls),
      MEASURE_TEST(calls_are_in_order_of_address),
      MEASURE_TEST(calls_never_made_are_where_others_are),
      MEASURE_TEST(blocks_are_kept_on_request),
      MEASURE_TEST(dropped_blocks_make_room_for_others),
      MEASURE_TEST(records_of_a_file_are_counted),
      MEASURE_TEST(bins_of_another_width_are_refused),
      MEASURE_TEST(overlap_is_an_error),
      MEASURE_TEST(too_many_ranges_are_refused),
      MEASURE_TEST(histograms_are_within_their_image),
      MEASURE_TEST(nothing_is_nothing),
      MEASURE_TEST(damage_is_an_error_whatever_came_before),
      MEASURE_TEST(released_is_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
