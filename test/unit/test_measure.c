/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums by address: what is joined, in which order, and what is refused. */
#include "base/err.h"
#include "made_gmon.h"
#include "measure/measure.h"

static struct measure measure;
static struct err err;

static int begin(void **state) {
  (void)state;
  measure = (struct measure){0};
  err = (struct err){0};
  return 0;
}

static int end(void **state) {
  (void)state;
  measure_release(&measure);
  return 0;
}

/** Add a file. Returns measure_add(). */
static int add(struct builder *builder, const char *path) {
  const struct gmon_file file = made_file(builder, path);
  struct gmon_reader reader;

  assert_int_equal(
      gmon_reader_init(&reader, &file, builder->layout, GMON_FORMAT_AUTO, &err),
      0);
  return measure_add(&measure, &reader, &err);
}

static void add_and_finish(struct builder *builder) {
  assert_int_equal(add(builder, "x"), 0);
  assert_int_equal(measure_finish(&measure, &err), 0);
}

static void expect_sample(size_t i, uint64_t low, uint64_t high,
                          uint64_t count) {
  assert_true(i < measure.n_samples);
  assert_int_equal(measure.samples[i].low, low);
  assert_int_equal(measure.samples[i].high, high);
  assert_int_equal(measure.samples[i].count, count);
}

static void expect_block(size_t i, uint64_t vaddr, uint64_t count) {
  assert_true(i < measure.n_blocks);
  assert_int_equal(measure.blocks[i].vaddr, vaddr);
  assert_int_equal(measure.blocks[i].count, count);
}

static void expect_arc(size_t i, uint64_t from, uint64_t self, uint64_t count) {
  assert_true(i < measure.n_arcs);
  assert_int_equal(measure.arcs[i].from_vaddr, from);
  assert_int_equal(measure.arcs[i].self_vaddr, self);
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
  assert_int_equal(measure.n_samples, 3);
  expect_sample(0, 0x1000, 0x1002, 1);
  expect_sample(1, 0x1002, 0x1004, 2);
  expect_sample(2, 0x1006, 0x1008, 9);
  assert_int_equal(measure.n_arcs, 1);
  expect_arc(0, 0x1004, 0x1000, 8);
  assert_int_equal(measure.n_blocks, 1);
  expect_block(0, 0x1000, 15);
}

static void results_are_in_order_of_address(void **state) {
  static const uint16_t bins[] = {1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x3000, 0x3002, bins, 1);
  made_histogram(&builder, 0x1000, 0x1004, bins, 1);
  made_histogram(&builder, 0x1000, 0x1002, bins, 1);
  made_arc(&builder, 0x2004, 0x1000, 1);
  made_arc(&builder, 0x1004, 0x3000, 2);
  made_arc(&builder, 0x1004, 0x2000, 3);
  made_arc(&builder, 0, 0x9000, 4);
  made_block(&builder, UINT64_MAX, 1);
  made_block(&builder, 0x1000, 2);
  add_and_finish(&builder);
  // Bins that begin together and end apart are not the same.
  assert_int_equal(measure.n_samples, 3);
  expect_sample(0, 0x1000, 0x1002, 1);
  expect_sample(1, 0x1000, 0x1004, 1);
  expect_sample(2, 0x3000, 0x3002, 1);
  assert_int_equal(measure.n_arcs, 4);
  expect_arc(0, 0, 0x9000, 4);
  expect_arc(1, 0x1004, 0x2000, 3);
  expect_arc(2, 0x1004, 0x3000, 2);
  expect_arc(3, 0x2004, 0x1000, 1);
  assert_int_equal(measure.n_blocks, 2);
  expect_block(0, 0x1000, 2);
  expect_block(1, UINT64_MAX, 1);
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
  expect_sample(0, 0x1000, 0x1002, 3 * 0xffff);
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
  assert_int_equal(measure_finish(&measure, &err), 0);
  assert_int_equal(measure.n_samples, 500);
  assert_int_equal(measure.n_arcs, 500);
  assert_int_equal(measure.n_blocks, 500);
  for (uint64_t i = 0; i < 500; i++) {
    expect_sample(i, 0x1000 + 2 * i, 0x1002 + 2 * i, 4);
    expect_arc(i, 0x1000 + i, 0x2000, 6);
    expect_block(i, 0x1000 + i, 10);
  }
}

/** A block that never ran is known not to have run; a bin that is empty says
 * nothing. */
static void zero_is_a_count_of_blocks_and_arcs_only(void **state) {
  static const uint16_t bins[] = {0, 0};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1004, bins, 2);
  made_arc(&builder, 0x1004, 0x1000, 0);
  made_block(&builder, 0x1000, 0);
  add_and_finish(&builder);
  assert_true(measure.has_histogram);
  assert_int_equal(measure.n_samples, 0);
  assert_int_equal(measure.n_arcs, 1);
  assert_int_equal(measure.n_blocks, 1);
}

/** Others than Arcline name the byte behind the call. */
static void callers_are_inside_of_their_calls(void **state) {
  struct builder ours = made_gmon("12345678");
  struct builder other = made_gmon(NULL);

  (void)state;
  made_arc(&ours, 0x1004, 0x1000, 1);
  made_arc(&ours, 0, 0x1000, 2);
  made_arc(&other, 0x1005, 0x1000, 4);
  made_arc(&other, 0, 0x1000, 8);
  assert_int_equal(add(&ours, "x"), 0);
  add_and_finish(&other);
  assert_int_equal(measure.n_arcs, 2);
  expect_arc(0, 0, 0x1000, 10);
  expect_arc(1, 0x1004, 0x1000, 5);
}

static void bins_of_uneven_width_leave_no_gap(void **state) {
  static const uint16_t bins[] = {1, 2, 3, 4};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x100a, bins, 4);
  add_and_finish(&builder);
  assert_int_equal(measure.n_samples, 4);
  expect_sample(0, 0x1000, 0x1002, 1);
  expect_sample(1, 0x1002, 0x1005, 2);
  expect_sample(2, 0x1005, 0x1007, 3);
  expect_sample(3, 0x1007, 0x100a, 4);
}

static void bins_of_less_than_a_byte_are_one(void **state) {
  static const uint16_t bins[] = {1, 2, 3, 4};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1002, bins, 4);
  add_and_finish(&builder);
  assert_int_equal(measure.n_samples, 2);
  expect_sample(0, 0x1000, 0x1001, 3);
  expect_sample(1, 0x1001, 0x1002, 7);
}

static void a_range_of_all_addresses_does_not_overflow(void **state) {
  static const uint16_t bins[] = {1, 0, 0, 0, 0, 0, 2};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0, UINT64_MAX, bins, 7);
  add_and_finish(&builder);
  assert_int_equal(measure.n_samples, 2);
  expect_sample(0, 0, UINT64_MAX / 7, 1);
  expect_sample(1, UINT64_MAX / 7 * 6 + UINT64_MAX % 7 * 6 / 7, UINT64_MAX, 2);
}

static void unit_is_that_of_the_first_histogram(void **state) {
  static const uint16_t bins[] = {1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1002, bins, 1);
  add_and_finish(&builder);
  assert_true(measure.has_histogram);
  assert_int_equal(measure.rate_hz, 100);
  assert_string_equal(measure.dimension, "seconds");
  assert_int_equal(measure.abbreviation, 's');
}

enum { AT_RATE = 21, AT_DIMENSION = 25 }; // in a histogram record

static void samples_of_another_rate_are_refused(void **state) {
  static const uint16_t bins[] = {1};
  struct builder first = made_gmon("12345678");
  struct builder second = first;

  (void)state;
  made_histogram(&first, 0x1000, 0x1002, bins, 1);
  made_arc(&second, 0x1004, 0x1000, 1);
  const size_t at = second.n_bytes;
  made_histogram(&second, 0x1000, 0x1002, bins, 1);
  struct builder rate = {.layout = native_layout};
  put(&rate, 1000, 4);
  memcpy(&second.bytes[at + AT_RATE], rate.bytes, 4);
  assert_int_equal(add(&first, "a"), 0);
  assert_int_equal(add(&second, "b"), -1);
  assert_int_equal(err.code, ERR_INPUT);
  assert_string_equal(
      err.text, "b: the histogram at offset 41 was sampled 1000 times a second,"
                " and an earlier one 100 times; report them separately");
}

static void samples_of_another_unit_are_refused(void **state) {
  static const uint16_t bins[] = {1};
  struct builder first = made_gmon("12345678");

  (void)state;
  made_histogram(&first, 0x1000, 0x1002, bins, 1);
  struct builder second = first;
  // It fills its field: nothing ends it there.
  memcpy(&second.bytes[GMON_HEADER_BYTES + AT_DIMENSION], "fifteen letters",
         GMON_DIMENSION_BYTES);
  assert_int_equal(add(&first, "a"), 0);
  assert_int_equal(add(&second, "b"), -1);
  assert_int_equal(err.code, ERR_INPUT);
  assert_string_equal(err.text,
                      "b: the histogram at offset 20 counts fifteen letters, "
                      "and an earlier one seconds; report them separately");
}

static void nothing_is_nothing(void **state) {
  struct builder builder = made_gmon("12345678");

  (void)state;
  assert_int_equal(measure_finish(&measure, &err), 0);
  add_and_finish(&builder);
  assert_false(measure.has_histogram);
  assert_int_equal(measure.n_samples, 0);
  assert_int_equal(measure.n_arcs, 0);
  assert_int_equal(measure.n_blocks, 0);
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
  assert_false(measure.has_histogram);
  assert_null(measure.samples);
  add_and_finish(&builder);
  assert_int_equal(measure.n_samples, 1);
  expect_arc(0, 0x1004, 0x1000, 1);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(equal_addresses_of_several_files_are_summed),
      TEST(results_are_in_order_of_address),
      TEST(sums_go_beyond_the_width_of_their_fields),
      TEST(more_than_fits_at_first_is_kept),
      TEST(zero_is_a_count_of_blocks_and_arcs_only),
      TEST(callers_are_inside_of_their_calls),
      TEST(bins_of_uneven_width_leave_no_gap),
      TEST(bins_of_less_than_a_byte_are_one),
      TEST(a_range_of_all_addresses_does_not_overflow),
      TEST(unit_is_that_of_the_first_histogram),
      TEST(samples_of_another_rate_are_refused),
      TEST(samples_of_another_unit_are_refused),
      TEST(nothing_is_nothing),
      TEST(damage_is_an_error_whatever_came_before),
      TEST(released_is_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
