/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The unit of samples: what is added up is of one rate and one dimension. */
#include <unistd.h>

#include "made_measure.h"

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

/** Change the rate of the histogram at an offset. */
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
  assert_string_equal(err.text,
                      "b: histogram at offset 41 has 1000 samples per second, "
                      "one of a has 100; report them separately");
}

/** It has no data that could be added up wrongly. */
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
                      "b: histogram at offset 20 counts fifteen letters, an "
                      "earlier one counts seconds; report them separately");
}

static void samples_of_another_abbreviation_are_refused(void **state) {
  static const uint16_t bins[] = {1};
  struct builder builder = made_gmon("12345678");

  (void)state;
  made_histogram(&builder, 0x1000, 0x1002, bins, 1);
  assert_int_equal(add(&builder, "a"), 0);
  builder.bytes[GMON_HEADER_BYTES + AT_ABBREVIATION] = 'm';
  assert_int_equal(add(&builder, "b"), -1);
  assert_string_equal(err.text, "b: histogram at offset 20 has unit `m', an "
                                "earlier one has `s'; report them separately");
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
  assert_string_equal(err.text,
                      "b: histogram at offset 20 has 100 samples per second, "
                      "one of first has 250; report them separately");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      MEASURE_TEST(unit_is_that_of_the_first_histogram),
      MEASURE_TEST(samples_of_another_rate_are_refused),
      MEASURE_TEST(a_rate_of_no_bins_does_not_matter),
      MEASURE_TEST(rates_are_mixed_on_request),
      MEASURE_TEST(old_files_without_a_rate_have_that_of_the_clock),
      MEASURE_TEST(samples_of_another_unit_are_refused),
      MEASURE_TEST(samples_of_another_abbreviation_are_refused),
      MEASURE_TEST(unit_of_another_object_is_compared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
