/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The profile: samples divided among symbols, callers and callees, and the
   parts of a measure in a sum. */
#include "base/err.h"
#include "made_gmon.h"
#include "profile/profile_join.h"
#include "profile/symspec.h"

static struct symtab symtab;
static struct symspec_tables filters;
static struct measure measure;
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
  measure_release(&measure);
  profile_release(&profile);
  symspec_release(&filters);
  symtab_release(&symtab);
  return 0;
}

/** Add a file to the measure. */
static void measure_file(struct builder *builder) {
  const struct gmon_file file = made_file(builder, "x");
  struct measure_contents contents;
  struct gmon_reader reader;

  assert_int_equal(
      gmon_reader_init(&reader, &file, native_layout, GMON_FORMAT_AUTO, &err),
      0);
  assert_int_equal(measure_add(&measure, &reader, &contents, &err), 0);
}

/** Measure a histogram from low to high. */
static void measure_histogram(uint64_t low, uint64_t high, const uint16_t *bins,
                              uint32_t n_bins) {
  struct builder builder = made_gmon(NULL);

  made_histogram(&builder, low, high, bins, n_bins);
  measure_file(&builder);
}

static void measure_arc(uint64_t from_pc, uint64_t self_pc, uint32_t count) {
  struct builder builder = made_gmon(NULL);

  made_arc(&builder, from_pc, self_pc, count);
  measure_file(&builder);
}

static void measure_block(uint64_t vaddr, uint64_t count) {
  struct builder builder = made_gmon(NULL);

  measure.flags = MEASURE_BLOCKS;
  made_block(&builder, vaddr, count);
  measure_file(&builder);
}

/** Add the measure to the profile, and begin another measure. */
static void add_to(const struct symtab_object *object) {
  assert_int_equal(profile_add(&profile, &measure, object, &err), 0);
  measure_release(&measure);
}

static void finish(void) {
  assert_int_equal(profile_add(&profile, &measure, NULL, &err), 0);
  profile_finish(&profile);
}

static void bin_is_split_between_symbols(void **state) {
  // Bins of 12 bytes: the second has 4 bytes of a and 8 of b.
  static const uint16_t bins[] = {3, 6, 0, 0};

  (void)state;
  measure_histogram(0x1000, 0x1030, bins, 4);
  finish();
  assert_true(profile.scale == 6);
  assert_true(profile.counts[0].ticks == 5);
  assert_true(profile.counts[1].ticks == 4);
  assert_true(profile.total_ticks == 9);
}

static void time_of_the_profiler_is_taken_out(void **state) {
  static const uint16_t bins[] = {1, 2, 4, 8};

  (void)state;
  measure_histogram(0x1000, 0x1040, bins, 4);
  finish();
  assert_true(profile.counts[2].ticks == 0);
  // The last symbol gets no samples, but they stay in the total.
  assert_true(profile.counts[3].ticks == 0);
  assert_true(profile.total_ticks == 11);
}

static void bins_add_up_beyond_their_width(void **state) {
  static const uint16_t bins[] = {0xffff, 1};

  (void)state;
  for (int i = 0; i < 3; i++)
    measure_histogram(0x1000, 0x1020, bins, 2);
  finish();
  assert_true(profile.counts[0].ticks == 3 * 65535.0);
}

static void calls_of_a_label_count_to_the_function_before(void **state) {
  (void)state;
  measure_arc(0x1024, 0x1010, 5);
  measure_arc(0x1028, 0x1000, 2);
  finish();
  assert_int_equal(profile.n_arcs, 1);
  assert_int_equal(profile.counts[0].calls, 7);
  assert_int_equal(profile.counts[1].calls, 0);
}

/** Objects at the same addresses, with bins of different widths. */
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
      profile_init(&profile, &symtab, &filters, PROFILE_OUTSIDE, &err), 0);
  measure_histogram(0x1000, 0x1040, narrow, 4);
  measure_arc(0x1000, 0x1020, 2);
  // An address of the second one is outside of the first one.
  measure_arc(0x11000, 0x1020, 3);
  add_to(&first);
  measure_histogram(0x1000, 0x1040, wide, 2);
  measure_arc(0, 0x1000, 5);
  add_to(&second);
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

/** A profile has a unit, arcs and blocks if one of its objects has. */
static void a_measure_without_some_records_takes_nothing_back(void **state) {
  static const uint16_t bins[] = {1, 2};
  const struct symtab_object object = {
      .name = "x", .low = 0x1000, .high = 0x1040};

  (void)state;
  measure_histogram(0x1000, 0x1020, bins, 2);
  measure_arc(0x1024, 0x1000, 1);
  measure_block(0x1000, 1);
  add_to(&object);
  add_to(&object);
  assert_true(profile.unit.is_known);
  assert_int_equal(profile.unit.rate_hz, 100);
  assert_true(profile.scale == 8);
  assert_true(profile.has_arcs);
  assert_true(profile.has_blocks);
  assert_false(profile.ignored_blocks);
}

static void blocks_are_taken_if_they_are_wanted(void **state) {
  (void)state;
  measure_block(0x1004, 3);
  profile.flags = 0;
  add_to(NULL);
  assert_int_equal(profile.n_blocks, 0);
  assert_false(profile.has_blocks);
  profile.flags = PROFILE_BLOCKS;
  measure_block(0x1004, 3);
  add_to(NULL);
  assert_int_equal(profile.n_blocks, 1);
  assert_true(profile.has_blocks);
}

static void expect_block(size_t i, uint64_t vaddr, uint64_t count) {
  assert_true(i < measure.n_blocks);
  assert_int_equal(measure.blocks[i].vaddr, vaddr);
  assert_int_equal(measure.blocks[i].count, count);
}

static void blocks_of_a_sum_are_in_order_of_symbols(void **state) {
  (void)state;
  measure_block(0x9000, 1);
  measure_block(0x1024, 2);
  measure_block(0x1008, 3);
  measure_block(0x1004, 4);
  measure_block(0x1024, 5);
  measure_block(0x9100, 6);
  finish();
  assert_int_equal(profile_make_sum(&profile, &measure, &err), 0);
  assert_int_equal(measure.n_blocks, 5);
  expect_block(0, 0x1008, 3);
  expect_block(1, 0x1004, 4);
  expect_block(2, 0x1024, 7);
  expect_block(3, 0x9000, 1);
  expect_block(4, 0x9100, 6);
}

static void arcs_of_a_sum_are_those_that_are_wanted(void **state) {
  const struct symspec spec = {.use = SYMSPEC_ARCS, .text = "a/b"};

  (void)state;
  profile_release(&profile);
  symspec_release(&filters);
  symtab.symbols[1].is_func = true;
  assert_int_equal(symspec_resolve(&symtab, &spec, 1, &filters, &err), 0);
  assert_int_equal(profile_init(&profile, &symtab, &filters, 0, &err), 0);
  measure_arc(0x1034, 0x1010, 1);
  measure_arc(0x1004, 0x1010, 2);
  measure_arc(0x1004, 0x1020, 3);
  measure_arc(0x1008, 0x1010, 4);
  measure_arc(0x1004, 0x9000, 5); // of no function: not excluded
  finish();
  assert_int_equal(profile_make_sum(&profile, &measure, &err), 0);
  assert_int_equal(measure.n_arcs, 3);
  assert_int_equal(measure.arcs[0].count, 2);
  assert_int_equal(measure.arcs[1].count, 4);
  assert_int_equal(measure.arcs[2].count, 5);
}

static void sums_as_by_gprof_are_of_symbols(void **state) {
  (void)state;
  profile.flags = PROFILE_GNU | PROFILE_BLOCKS;
  measure_arc(0x1024, 0x1000, 1);
  measure_arc(0x1004, 0x1000, 2);
  measure_arc(0x1008, 0x1024, 4);
  measure_arc(0x1008, 0x1000, 8);
  measure_arc(0x9000, 0x1000, 16);
  for (uint64_t i = 0; i < 12; i++)
    measure_block(0x1020 + i, i);
  measure_block(0x9000, 1);
  finish();
  assert_int_equal(profile_make_sum(&profile, &measure, &err), 0);
  assert_int_equal(measure.n_arcs, 3);
  // Callers in order; of one caller, the newest first.
  assert_int_equal(measure.arcs[0].from_pc, 0x1000);
  assert_int_equal(measure.arcs[0].self_pc, 0x1020);
  assert_int_equal(measure.arcs[0].count, 4);
  assert_int_equal(measure.arcs[1].self_pc, 0x1000);
  assert_int_equal(measure.arcs[1].count, 10);
  assert_int_equal(measure.arcs[2].from_pc, 0x1020);
  assert_int_equal(measure.arcs[2].count, 1);
  // A symbol has room for ten.
  assert_int_equal(measure.n_blocks, 10);
  expect_block(9, 0x1029, 9);
}

static void recursive_calls_are_apart(void **state) {
  (void)state;
  measure_arc(0x1004, 0x1000, 5);
  measure_arc(0x1024, 0x1000, 2);
  finish();
  assert_int_equal(profile.counts[0].calls, 2);
  assert_int_equal(profile.counts[0].self_calls, 5);
}

static void calls_move_to_another_caller(void **state) {
  (void)state;
  measure_arc(0x1004, 0x1020, 5);
  assert_int_equal(profile_add(&profile, &measure, NULL, &err), 0);
  assert_int_equal(profile_move_calls(&profile, 0, 0, 2, 3, &err), 0);
  assert_int_equal(profile_move_calls(&profile, 3, 0, 2, 3, &err), 0);
  assert_int_equal(profile.n_arcs, 1);
  assert_int_equal(profile.arcs[0].count, 5);
  assert_int_equal(profile_move_calls(&profile, 0, 3, 2, 3, &err), 0);
  assert_int_equal(profile.n_arcs, 2);
  assert_int_equal(profile.arcs[0].count, 2);
  assert_int_equal(profile.arcs[1].parent, 3);
  assert_int_equal(profile.arcs[1].child, 2);
  assert_int_equal(profile.arcs[1].count, 3);
  // No more than there are.
  assert_int_equal(profile_move_calls(&profile, 0, 3, 2, 9, &err), 0);
  assert_int_equal(profile.arcs[0].count, 0);
  assert_int_equal(profile.arcs[1].count, 5);
}

static void static_arcs_have_no_calls(void **state) {
  (void)state;
  measure_arc(0x1004, 0x1020, 5);
  assert_int_equal(profile_add(&profile, &measure, NULL, &err), 0);
  assert_int_equal(profile_add_static_arc(&profile, 0, 2, &err), 0);
  assert_int_equal(profile_add_static_arc(&profile, 3, 2, &err), 0);
  assert_int_equal(profile.n_arcs, 2);
  assert_int_equal(profile.arcs[0].count, 5);
  assert_int_equal(profile.arcs[1].count, 0);
  assert_int_equal(profile.counts[2].calls, 5);
}

static void time_is_added_and_moved(void **state) {
  (void)state;
  profile_add_ticks(&profile, 0, 5);
  profile_add_ticks(&profile, 2, 7); // mcount, which is skipped
  assert_true(profile.counts[0].ticks == 5);
  assert_true(profile.counts[2].ticks == 0);
  assert_true(profile.total_ticks == 5);
  assert_true(profile_move_ticks(&profile, 0, 1, 2) == 2);
  assert_true(profile.counts[0].ticks == 3);
  assert_true(profile.counts[1].ticks == 2);
  assert_true(profile.total_ticks == 5);
  assert_true(profile_move_ticks(&profile, 0, 1, 9) == 3);
  assert_true(profile.counts[0].ticks == 0);
  assert_true(profile.counts[1].ticks == 5);
  // To one that is skipped it is lost.
  assert_true(profile_move_ticks(&profile, 1, 2, 1) == 1);
  assert_true(profile.total_ticks == 4);
}

static void weights_are_of_arcs_and_callees(void **state) {
  (void)state;
  measure_arc(0x1004, 0x1020, 5);
  assert_int_equal(profile_add(&profile, &measure, NULL, &err), 0);
  assert_int_equal(profile_weigh_arc(&profile, 0, 2, 1.5, &err), 0);
  assert_int_equal(profile_weigh_arc(&profile, 0, 2, 2, &err), 0);
  assert_int_equal(profile_weigh_arc(&profile, 3, 2, 4, &err), 0);
  assert_int_equal(profile.n_arcs, 2);
  assert_true(profile.arcs[0].weight == 3.5);
  assert_int_equal(profile.arcs[0].count, 5);
  assert_true(profile.arcs[1].weight == 4);
  assert_int_equal(profile.arcs[1].count, 0);
  assert_true(profile.counts[2].weight == 7.5);
}

static void ignored_blocks_are_remembered(void **state) {
  const struct measure ignored = {.ignored_blocks = true};
  const struct measure none = {0};

  (void)state;
  assert_int_equal(profile_add(&profile, &none, NULL, &err), 0);
  assert_false(profile.ignored_blocks);
  assert_int_equal(profile_add(&profile, &ignored, NULL, &err), 0);
  assert_int_equal(profile_add(&profile, &none, NULL, &err), 0);
  assert_true(profile.ignored_blocks);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(bin_is_split_between_symbols),
      TEST(time_of_the_profiler_is_taken_out),
      TEST(bins_add_up_beyond_their_width),
      TEST(calls_of_a_label_count_to_the_function_before),
      TEST(objects_have_places_of_their_own),
      TEST(a_measure_without_some_records_takes_nothing_back),
      TEST(blocks_are_taken_if_they_are_wanted),
      TEST(blocks_of_a_sum_are_in_order_of_symbols),
      TEST(arcs_of_a_sum_are_those_that_are_wanted),
      TEST(sums_as_by_gprof_are_of_symbols),
      TEST(recursive_calls_are_apart),
      TEST(calls_move_to_another_caller),
      TEST(static_arcs_have_no_calls),
      TEST(time_is_added_and_moved),
      TEST(weights_are_of_arcs_and_callees),
      TEST(ignored_blocks_are_remembered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
