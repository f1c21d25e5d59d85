/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The profile: how samples are spread over symbols, how blocks are kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "profile/profile_join.h"
#include "profile/symspec.h"

static struct symtab symtab;
static struct symspec_tables filters;
static struct profile profile;
static struct err err;

/** Functions of 16 bytes from 0x1000 on; the last one marks the end. */
static int begin(void **state) {
  static const char *const names[] = {"a", "b", "mcount", "end"};

  (void)state;
  memset(&err, 0, sizeof(err));
  for (size_t i = 0; i < 4; i++) {
    const struct symbol symbol = {
        .vaddr = 0x1000 + 16 * i, .name = names[i], .is_func = i != 1};
    assert_int_equal(symtab_add(&symtab, &symbol, &err), 0);
  }
  assert_int_equal(symtab_finish(&symtab, 0x103f, &err), 0);
  assert_int_equal(symspec_resolve(&symtab, NULL, 0, &filters, &err), 0);
  assert_int_equal(
      profile_init(&profile, &symtab, &filters, PROFILE_BLOCKS, &err), 0);
  return 0;
}

static int end(void **state) {
  (void)state;
  profile_release(&profile);
  symspec_release(&filters);
  symtab_release(&symtab);
  return 0;
}

/** Add a file with one histogram from low to high. Returns profile_add(). */
static int add_histogram(uint64_t low, uint64_t high, const uint16_t *bins,
                         uint32_t n_bins) {
  uint8_t bytes[256] = "gmon\1";
  size_t at = GMON_HEADER_BYTES + 1;
  const uint32_t numbers[] = {n_bins, 100};

  // The machine that runs the test is little endian, or the test says so.
  const uint16_t one = 1;
  const struct gmon_layout layout = {
      .class_bits = 64, .is_big_endian = *(const uint8_t *)&one == 0};
  if (layout.is_big_endian) {
    bytes[4] = 0;
    bytes[7] = 1;
  }
  memcpy(&bytes[at], &low, 8);
  memcpy(&bytes[at + 8], &high, 8);
  memcpy(&bytes[at + 16], numbers, 8);
  memcpy(&bytes[at + 24], "seconds", 7);
  bytes[at + 39] = 's';
  memcpy(&bytes[at + 40], bins, 2 * n_bins);
  const struct gmon_file file = {"x", bytes, at + 40 + 2 * n_bins};
  struct gmon_reader reader;
  struct profile_contents contents;
  assert_int_equal(
      gmon_reader_init(&reader, &file, layout, GMON_FORMAT_AUTO, &err), 0);
  return profile_add(&profile, &reader, &contents, &err);
}

static void bin_is_split_between_symbols(void **state) {
  // Bins of 12 bytes: the second has 4 bytes of a and 8 of b.
  static const uint16_t bins[] = {3, 6, 0, 0};

  (void)state;
  assert_int_equal(add_histogram(0x1000, 0x1030, bins, 4), 0);
  profile_finish(&profile);
  assert_true(profile.scale == 6);
  assert_true(profile.counts[0].ticks == 5);
  assert_true(profile.counts[1].ticks == 4);
  assert_true(profile.total_ticks == 9);
}

static void time_of_the_profiler_is_taken_out(void **state) {
  static const uint16_t bins[] = {1, 2, 4, 8};

  (void)state;
  assert_int_equal(add_histogram(0x1000, 0x1040, bins, 4), 0);
  profile_finish(&profile);
  assert_true(profile.counts[2].ticks == 0);
  // The last symbol gets nothing, but its samples stay in the total.
  assert_true(profile.counts[3].ticks == 0);
  assert_true(profile.total_ticks == 11);
}

static void bins_add_up_beyond_their_width(void **state) {
  static const uint16_t bins[] = {0xffff, 1};

  (void)state;
  for (int i = 0; i < 3; i++)
    assert_int_equal(add_histogram(0x1000, 0x1020, bins, 2), 0);
  profile_finish(&profile);
  assert_int_equal(profile.n_histograms, 1);
  assert_true(profile.counts[0].ticks == 3 * 65535.0);
}

static void overlap_is_an_error(void **state) {
  static const uint16_t bins[] = {1, 1};

  (void)state;
  assert_int_equal(add_histogram(0x1000, 0x1020, bins, 2), 0);
  assert_int_equal(add_histogram(0x1010, 0x1030, bins, 2), -1);
  assert_non_null(strstr(err.text, "overlaps one of 0x1000 to 0x1020"));
}

static void too_many_ranges_are_refused(void **state) {
  static const uint16_t bins[] = {1};

  (void)state;
  for (uint64_t i = 0; i < PROFILE_MAX_HISTOGRAMS; i++)
    assert_int_equal(add_histogram(0x1000 + 16 * i, 0x1010 + 16 * i, bins, 1),
                     0);
  // Known ranges are still added.
  assert_int_equal(add_histogram(0x1000, 0x1010, bins, 1), 0);
  assert_int_equal(add_histogram(0x100, 0x110, bins, 1), -1);
}

static void calls_of_a_label_count_to_the_function_before(void **state) {
  (void)state;
  assert_int_equal(profile_add_arc(&profile, 0x1024, 0x1010, 5, &err), 0);
  assert_int_equal(profile_add_arc(&profile, 0x1028, 0x1000, 2, &err), 0);
  profile_finish(&profile);
  assert_int_equal(profile.n_arcs, 1);
  assert_int_equal(profile.counts[0].calls, 7);
  assert_int_equal(profile.counts[1].calls, 0);
}

/** Objects that lie at the same addresses, with bins of different widths. */
static void objects_have_places_of_their_own(void **state) {
  static const uint16_t narrow[] = {1, 2, 0, 0};
  static const uint16_t wide[] = {3, 4};
  const struct symtab_object first = {
      .name = "first", .low = 0x1000, .high = 0x1040};
  const struct symtab_object second = {
      .name = "second", .base = 0x10000, .low = 0x1000, .high = 0x1040};
  struct symtab copy = {0};

  (void)state;
  profile_release(&profile);
  for (size_t i = 0; i < symtab.n_symbols; i++)
    assert_int_equal(symtab_add(&copy, &symtab.symbols[i], &err), 0);
  assert_int_equal(symtab_append(&symtab, &copy, &second, &err), 0);
  symtab_release(&copy);
  assert_int_equal(
      profile_init(&profile, &symtab, &filters, PROFILE_JOINED, &err), 0);
  profile_set_object(&profile, &first);
  assert_int_equal(add_histogram(0x1000, 0x1040, narrow, 4), 0);
  assert_int_equal(profile_add_arc(&profile, 0x1000, 0x1020, 2, &err), 0);
  // An address of the second one is nowhere in the first one.
  assert_int_equal(profile_add_arc(&profile, 0x11000, 0x1020, 3, &err), 0);
  profile_set_object(&profile, &second);
  assert_int_equal(add_histogram(0x1000, 0x1040, wide, 2), 0);
  assert_int_equal(profile_add_arc(&profile, 0, 0x1000, 5, &err), 0);
  assert_int_equal(add_histogram(0x1020, 0x1060, wide, 2), -1);
  assert_non_null(strstr(err.text, "is not within second"));
  profile_add_ticks(&profile, 7, 6);
  profile_finish(&profile);
  assert_true(profile.counts[0].ticks == 1);
  assert_true(profile.counts[1].ticks == 2);
  assert_true(profile.counts[4].ticks == 1.5);
  assert_true(profile.counts[5].ticks == 1.5);
  assert_true(profile.counts[6].ticks == 2);
  assert_true(profile.counts[7].ticks == 6);
  assert_int_equal(profile.n_arcs, 1);
  assert_int_equal(profile.counts[2].calls, 5);
  assert_int_equal(profile.counts[2].outside_calls, 3);
  assert_int_equal(profile.counts[4].calls, 5);
  assert_int_equal(symtab_vaddr(&symtab.symbols[5], 0x11014), 0x1014);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(bin_is_split_between_symbols, begin, end),
      cmocka_unit_test_setup_teardown(time_of_the_profiler_is_taken_out, begin,
                                      end),
      cmocka_unit_test_setup_teardown(bins_add_up_beyond_their_width, begin,
                                      end),
      cmocka_unit_test_setup_teardown(overlap_is_an_error, begin, end),
      cmocka_unit_test_setup_teardown(too_many_ranges_are_refused, begin, end),
      cmocka_unit_test_setup_teardown(
          calls_of_a_label_count_to_the_function_before, begin, end),
      cmocka_unit_test_setup_teardown(objects_have_places_of_their_own, begin,
                                      end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
