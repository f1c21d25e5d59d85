/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums by address: what is joined, in which order, and what is refused. */
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "image/image.h"
#include "made_gmon.h"
#include "measure/measure.h"

static struct measure measure;
static struct measure_contents contents;
static struct err err;

static int begin(void **state) {
  (void)state;
  measure = (struct measure){.flags = MEASURE_BLOCKS};
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
  return measure_add(&measure, &reader, &contents, &err);
}

static void add_and_finish(struct builder *builder) {
  assert_int_equal(add(builder, "x"), 0);
  measure_finish(&measure);
}

static void expect_histogram(size_t i, uint64_t low, uint64_t high,
                             size_t n_filled) {
  assert_true(i < measure.n_histograms);
  assert_int_equal(measure.histograms[i].low_pc, low);
  assert_int_equal(measure.histograms[i].high_pc, high);
  assert_int_equal(measure.histograms[i].n_filled, n_filled);
}

static void expect_bin(size_t i_histogram, size_t i, uint32_t i_bin,
                       uint64_t count) {
  const struct bins *histogram = &measure.histograms[i_histogram];

  assert_true(i < histogram->n_filled);
  assert_int_equal(histogram->filled[i].i_bin, i_bin);
  assert_int_equal(histogram->filled[i].count, count);
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

/** Arcs whose look-ups would begin at the same key are told apart. */
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

/** Others than Arcline name the byte behind the call. What files tell is kept,
 * for those who look at symbols as GNU gprof does. */
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

static void unit_is_that_of_the_first_histogram(void **state) {
  static const uint16_t bins[] = {1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1002, bins, 1);
  add_and_finish(&builder);
  assert_true(measure.unit.is_known);
  assert_int_equal(measure.unit.rate_hz, 100);
  assert_string_equal(measure.unit.rate_path, "x");
  assert_string_equal(measure.unit.dimension, "seconds");
  assert_int_equal(measure.unit.abbreviation, 's');
}

enum { AT_RATE = 21, AT_DIMENSION = 25, AT_ABBREVIATION = 40 }; // in a record

/** Have the histogram at an offset tell another rate. */
static void set_rate(struct builder *builder, size_t at, uint32_t rate_hz) {
  struct builder rate = {.layout = native_layout};

  put(&rate, rate_hz, 4);
  memcpy(&builder->bytes[at + AT_RATE], rate.bytes, 4);
}

/** A file of 4.4BSD, of one histogram with a bin. */
static struct builder made_bsd44(uint32_t rate_hz) {
  struct builder builder = {.layout = native_layout};

  put_pointer(&builder, 0x1000);
  put_pointer(&builder, 0x1002);
  put(&builder, 2 * 8 + 4 + 20 + 2, 4);
  put(&builder, GMON_BSD44_MAGIC, 4);
  put(&builder, rate_hz, 4);
  put(&builder, 0, 8);
  put(&builder, 0, 4);
  put(&builder, 7, 2);
  return builder;
}

static void samples_of_another_rate_are_refused(void **state) {
  static const uint16_t bins[] = {1};
  struct builder first = made_gmon("12345678");
  struct builder second = first;

  (void)state;
  made_histogram(&first, 0x1000, 0x1002, bins, 1);
  made_arc(&second, 0x1004, 0x1000, 1);
  const size_t at = second.n_bytes;
  made_histogram(&second, 0x1000, 0x1002, bins, 1);
  set_rate(&second, at, 1000);
  assert_int_equal(add(&first, "a"), 0);
  assert_int_equal(add(&second, "b"), -1);
  assert_int_equal(err.code, ERR_INPUT);
  assert_string_equal(
      err.text, "b: the histogram at offset 41 was sampled 1000 times a second,"
                " but one of a 100 times; report them separately");
}

/** It tells nothing that could be added up wrongly. */
static void a_rate_of_no_bins_does_not_matter(void **state) {
  static const uint16_t bins[] = {1};
  struct builder first = made_gmon("12345678");

  (void)state;
  made_histogram(&first, 0x1000, 0x1002, bins, 1);
  const size_t at = first.n_bytes;
  made_histogram(&first, 0x1002, 0x1002, NULL, 0);
  set_rate(&first, at, 1000);
  add_and_finish(&first);
  assert_int_equal(measure.unit.rate_hz, 100);
  assert_int_equal(measure.n_histograms, 2);
}

static void rates_are_mixed_on_request(void **state) {
  static const uint16_t bins[] = {1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  measure.flags = MEASURE_MIXED_RATES;
  made_histogram(&builder, 0x1000, 0x1002, bins, 1);
  assert_int_equal(add(&builder, "a"), 0);
  set_rate(&builder, GMON_HEADER_BYTES, 1000);
  add_and_finish(&builder);
  expect_bin(0, 0, 0, 2);
  assert_int_equal(measure.unit.rate_hz, 100);
  // Those of 4.4BSD are compared by GNU gprof as well.
  builder = made_bsd44(99);
  assert_int_equal(add(&builder, "b"), -1);
}

static void old_files_without_a_rate_have_that_of_the_clock(void **state) {
  struct builder builder = made_bsd44(0);

  (void)state;
  add_and_finish(&builder);
  assert_int_equal(measure.unit.rate_hz, sysconf(_SC_CLK_TCK));
  assert_true(measure.has_arcs);
  assert_int_equal(contents.version, 0);
  expect_bin(0, 0, 0, 7);
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

static void samples_of_another_abbreviation_are_refused(void **state) {
  static const uint16_t bins[] = {1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1002, bins, 1);
  assert_int_equal(add(&builder, "a"), 0);
  builder.bytes[GMON_HEADER_BYTES + AT_ABBREVIATION] = 'm';
  assert_int_equal(add(&builder, "b"), -1);
  assert_string_equal(err.text,
                      "b: the histogram at offset 20 abbreviates its unit to "
                      "'m', and an earlier one to 's'; report them separately");
}

/** As between files of one object, so between objects. */
static void unit_of_another_object_is_compared(void **state) {
  static const uint16_t bins[] = {1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  measure.unit = (struct measure_unit){.is_known = true,
                                       .rate_hz = 250,
                                       .rate_path = "first",
                                       .dimension = "seconds",
                                       .abbreviation = 's'};
  made_histogram(&builder, 0x1000, 0x1002, bins, 1);
  assert_int_equal(add(&builder, "b"), -1);
  assert_string_equal(
      err.text, "b: the histogram at offset 20 was sampled 100 times a second, "
                "but one of first 250 times; report them separately");
}

static void bins_of_another_width_are_refused(void **state) {
  static const uint16_t bins[] = {1, 2};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1004, bins, 2);
  made_histogram(&builder, 0x2000, 0x2008, bins, 2);
  assert_int_equal(add(&builder, "x"), -1);
  assert_string_equal(err.text,
                      "x: the histogram at offset 65 has bins of 4 bytes, and "
                      "an earlier one of 2; report them separately");
}

static void overlap_is_an_error(void **state) {
  static const uint16_t bins[] = {1, 1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1020, bins, 2);
  made_histogram(&builder, 0x0fe0, 0x1000, bins, 2); // side by side is not
  assert_int_equal(add(&builder, "x"), 0);
  made_histogram(&builder, 0x1010, 0x1030, bins, 2);
  assert_int_equal(add(&builder, "x"), -1);
  assert_string_equal(
      err.text, "x: the histogram at offset 110, of 0x1010 to 0x1030, overlaps "
                "one of 0x1000 to 0x1020; are the files of the same image?");
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

/** Of a program of several objects: else they would be of another one. */
static void histograms_are_within_their_image(void **state) {
  static const uint16_t bins[] = {1, 1};
  const struct image image = {
      .path = "lib/x.so", .low_vaddr = 0x1000, .high_vaddr = 0x1040};
  struct builder builder = made_gmon("12345678");

  (void)state;
  measure.image = &image;
  made_histogram(&builder, 0x9000, 0xa000, NULL, 0); // says nothing
  made_histogram(&builder, 0x1000, 0x1040, bins, 2);
  assert_int_equal(add(&builder, "x"), 0);
  expect_histogram(0, 0x1000, 0x1000, 0);
  expect_histogram(1, 0x1000, 0x1040, 2);
  builder = made_gmon("12345678");
  made_histogram(&builder, 0x1020, 0x1060, bins, 2);
  assert_int_equal(add(&builder, "y"), -1);
  assert_string_equal(
      err.text, "y: the histogram at offset 20, of 0x1020 to 0x1060, is not "
                "within x.so; is the file of another image?");
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
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(equal_addresses_of_several_files_are_summed),
      TEST(all_is_in_order_of_first_appearance),
      TEST(sums_go_beyond_the_width_of_their_fields),
      TEST(more_than_fits_at_first_is_kept),
      TEST(arcs_of_equal_keys_are_different),
      TEST(zero_is_a_count_of_blocks_and_arcs_only),
      TEST(callers_are_inside_of_their_calls),
      TEST(calls_are_in_order_of_address),
      TEST(calls_never_made_are_where_others_are),
      TEST(blocks_are_kept_on_request),
      TEST(records_of_a_file_are_counted),
      TEST(unit_is_that_of_the_first_histogram),
      TEST(samples_of_another_rate_are_refused),
      TEST(a_rate_of_no_bins_does_not_matter),
      TEST(rates_are_mixed_on_request),
      TEST(old_files_without_a_rate_have_that_of_the_clock),
      TEST(samples_of_another_unit_are_refused),
      TEST(samples_of_another_abbreviation_are_refused),
      TEST(unit_of_another_object_is_compared),
      TEST(bins_of_another_width_are_refused),
      TEST(overlap_is_an_error),
      TEST(too_many_ranges_are_refused),
      TEST(histograms_are_within_their_image),
      TEST(nothing_is_nothing),
      TEST(damage_is_an_error_whatever_came_before),
      TEST(released_is_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
