/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** A measure that made-up files are added to. */
#ifndef MADE_MEASURE_H
#define MADE_MEASURE_H

#include "base/err.h"
#include "made_gmon.h"
#include "measure/measure.h"

static struct measure measure;
static struct measure_contents contents;
static struct err err;

static inline int begin(void **state) {
  (void)state;
  measure = (struct measure){.flags = MEASURE_BLOCKS};
  err = (struct err){0};
  return 0;
}

static inline int end(void **state) {
  (void)state;
  measure_release(&measure);
  return 0;
}

/** Add a file. Returns measure_add(). */
static inline int add(struct builder *builder, const char *path) {
  const struct gmon_file file = made_file(builder, path);
  struct gmon_reader reader;

  assert_int_equal(
      gmon_reader_init(&reader, &file, builder->layout, GMON_FORMAT_AUTO, &err),
      0);
  return measure_add(&measure, &reader, &contents, &err);
}

static inline void add_and_finish(struct builder *builder) {
  assert_int_equal(add(builder, "x"), 0);
  measure_finish(&measure);
}

static inline void expect_bin(size_t i_histogram, size_t i, uint32_t i_bin,
                              uint64_t count) {
  const struct bins *histogram = &measure.histograms[i_histogram];

  assert_true(i < histogram->n_filled);
  assert_int_equal(histogram->filled[i].i_bin, i_bin);
  assert_int_equal(histogram->filled[i].count, count);
}

#define MEASURE_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
