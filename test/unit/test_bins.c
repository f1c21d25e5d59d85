/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums of histograms: only bins that are not 0, in order of their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "gmon/gmon_read.h"
#include "measure/bins.h"

enum { N_MAX = 200 };

static struct bins sum;

static int begin(void **state) {
  (void)state;
  sum = (struct bins){0};
  return 0;
}

static int end(void **state) {
  (void)state;
  free(sum.filled);
  return 0;
}

/** Add bins, which are stored in either byte order, in memory of just their
 * size and not aligned, as they are in a file. */
static void add(const uint16_t *bins, uint32_t n_bins, bool is_big_endian) {
  uint8_t *const bytes = malloc(2 * (size_t)n_bins + 1);
  struct err err;

  assert_non_null(bytes);
  for (uint32_t i = 0; i < n_bins; i++) {
    bytes[1 + 2 * i + !is_big_endian] = (uint8_t)(bins[i] >> 8);
    bytes[1 + 2 * i + is_big_endian] = (uint8_t)bins[i];
  }
  const struct gmon_histogram histogram = {
      .n_bins = n_bins,
      .bins = {.at = bytes + 1, .is_big_endian = is_big_endian}};
  assert_int_equal(bins_add(&sum, &histogram, &err), 0);
  free(bytes);
}

static void expect(const struct bin *bins, size_t n_bins) {
  assert_int_equal(sum.n_filled, n_bins);
  for (size_t i = 0; i < n_bins; i++) {
    assert_int_equal(sum.filled[i].i_bin, bins[i].i_bin);
    assert_int_equal(sum.filled[i].count, bins[i].count);
  }
}

#define EXPECT(...)                                                            \
  expect((const struct bin[]){__VA_ARGS__},                                    \
         sizeof(const struct bin[]){__VA_ARGS__} / sizeof(struct bin))

static void empty_bins_are_not_kept(void **state) {
  static const uint16_t none[4];
  static const uint16_t some[] = {0, 3, 0, 5};

  (void)state;
  add(none, 4, false);
  assert_int_equal(sum.n_filled, 0);
  add(some, 4, false);
  EXPECT({.count = 3, .i_bin = 1}, {.count = 5, .i_bin = 3});
  add(none, 4, false);
  EXPECT({.count = 3, .i_bin = 1}, {.count = 5, .i_bin = 3});
}

static void no_bins_are_no_sum(void **state) {
  (void)state;
  add(NULL, 0, false);
  add(NULL, 0, true);
  assert_int_equal(sum.n_filled, 0);
}

static void bins_of_two_are_sorted_into_each_other(void **state) {
  static const uint16_t first[] = {0, 1, 0, 2, 0, 4, 0};
  static const uint16_t second[] = {8, 0, 0, 16, 32, 0, 64};

  (void)state;
  add(first, 7, false);
  add(second, 7, false);
  EXPECT({.count = 8, .i_bin = 0}, {.count = 1, .i_bin = 1},
         {.count = 18, .i_bin = 3}, {.count = 32, .i_bin = 4},
         {.count = 4, .i_bin = 5}, {.count = 64, .i_bin = 6});
}

static void sums_go_beyond_sixteen_bits(void **state) {
  static const uint16_t bins[] = {0xffff, 1};

  (void)state;
  for (int i = 0; i < 0x10002; i++)
    add(bins, 2, false);
  EXPECT({.count = 0xffff * (uint64_t)0x10002, .i_bin = 0},
         {.count = 0x10002, .i_bin = 1});
}

static void byte_order_is_that_of_the_file(void **state) {
  static const uint16_t bins[] = {0, 0x0100, 0x0001, 0x1234};

  (void)state;
  add(bins, 4, true);
  add(bins, 4, false);
  EXPECT({.count = 0x0200, .i_bin = 1}, {.count = 0x0002, .i_bin = 2},
         {.count = 0x2468, .i_bin = 3});
}

/** Compared with an array that has all the bins. Some have long stretches
 * without samples, which are skipped at once. */
static void random_sums_are_those_of_all_bins(void **state) {
  unsigned random = 7;

  (void)state;
  for (int round = 0; round < 200; round++) {
    const uint32_t n_bins = 1 + (uint32_t)round % N_MAX;
    uint64_t expected[N_MAX] = {0};
    for (int file = 0; file < 5; file++) {
      uint16_t bins[N_MAX] = {0};
      for (int i = 0; i < round % 9; i++) {
        random = random * 1103515245 + 12345;
        bins[(random >> 8) % n_bins] = (uint16_t)(random >> 16);
      }
      add(bins, n_bins, file % 2);
      for (uint32_t i = 0; i < n_bins; i++)
        expected[i] += bins[i];
    }
    size_t i_filled = 0;
    for (uint32_t i = 0; i < n_bins; i++) {
      if (expected[i] == 0)
        continue;
      assert_true(i_filled < sum.n_filled);
      assert_int_equal(sum.filled[i_filled].i_bin, i);
      assert_int_equal(sum.filled[i_filled++].count, expected[i]);
    }
    assert_int_equal(sum.n_filled, i_filled);
    free(sum.filled);
    sum = (struct bins){0};
  }
}

static void expect_range(const struct bins *bins, uint32_t i_bin, uint64_t low,
                         uint64_t high) {
  uint64_t found_low, found_high;

  bins_range(bins, i_bin, &found_low, &found_high);
  assert_int_equal(found_low, low);
  assert_int_equal(found_high, high);
}

static void bins_of_uneven_width_leave_no_gap(void **state) {
  const struct bins bins = {.low_pc = 0x1000, .high_pc = 0x100a, .n_bins = 4};

  (void)state;
  expect_range(&bins, 0, 0x1000, 0x1002);
  expect_range(&bins, 1, 0x1002, 0x1005);
  expect_range(&bins, 2, 0x1005, 0x1007);
  expect_range(&bins, 3, 0x1007, 0x100a);
}

static void bins_of_less_than_a_byte_have_one(void **state) {
  const struct bins bins = {.low_pc = 0x1000, .high_pc = 0x1002, .n_bins = 4};

  (void)state;
  expect_range(&bins, 0, 0x1000, 0x1001);
  expect_range(&bins, 1, 0x1000, 0x1001);
  expect_range(&bins, 2, 0x1001, 0x1002);
  expect_range(&bins, 3, 0x1001, 0x1002);
}

static void a_range_of_all_addresses_does_not_overflow(void **state) {
  const struct bins bins = {.low_pc = 0, .high_pc = UINT64_MAX, .n_bins = 7};
  const struct bins many = {
      .low_pc = 0, .high_pc = UINT64_MAX, .n_bins = UINT32_MAX};

  (void)state;
  expect_range(&bins, 0, 0, UINT64_MAX / 7);
  expect_range(&bins, 6, UINT64_MAX / 7 * 6 + UINT64_MAX % 7 * 6 / 7,
               UINT64_MAX);
  expect_range(&many, UINT32_MAX - 1,
               UINT64_MAX / UINT32_MAX * (UINT32_MAX - 1), UINT64_MAX);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(empty_bins_are_not_kept),
      TEST(no_bins_are_no_sum),
      TEST(bins_of_two_are_sorted_into_each_other),
      TEST(sums_go_beyond_sixteen_bits),
      TEST(byte_order_is_that_of_the_file),
      TEST(random_sums_are_those_of_all_bins),
      TEST(bins_of_uneven_width_leave_no_gap),
      TEST(bins_of_less_than_a_byte_have_one),
      TEST(a_range_of_all_addresses_does_not_overflow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
