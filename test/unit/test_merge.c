/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums of profiles and side files: files that are added up, files that are left
   out with their warnings, and names of sums. */
#include <sys/stat.h>

#include "base/err.h"
#include "made_gmon.h"
#include "merge/merge.h"
#include "scratch.h"

#define ID "12345678"
#define ID_TEXT "3132333435363738"

static struct merge merge;
static struct err err;

static int begin(void **state) {
  err = (struct err){0};
  merge = (struct merge){0};
  return scratch_enter(state) || mkdir("d", 0700);
}

static int end(void **state) {
  merge_release(&merge);
  assert_null(merge.sums);
  assert_int_equal(merge.n_sums, 0);
  return scratch_leave(state);
}

static void write_builder(const char *path, const struct builder *builder) {
  write_bytes(path, builder->bytes, builder->n_bytes);
}

/** A profile of one arc. */
static void write_arc(const char *path, const char *id, uint32_t count) {
  struct builder builder = made_gmon(id);

  made_arc(&builder, 0x1004, 0x1100, count);
  write_builder(path, &builder);
}

/** A profile of a histogram, which another one may overlap. */
static void write_bins(const char *path, uint64_t low) {
  static const uint16_t bins[] = {1, 2};
  struct builder builder = made_gmon(ID);

  made_histogram(&builder, low, low + 8, bins, 2);
  write_builder(path, &builder);
}

static void add(const char *path) {
  assert_int_equal(merge_add(&merge, path, &err), 0);
}

static void expect_numbers(size_t n_sums, size_t n_files, size_t n_skipped) {
  assert_int_equal(merge.n_sums, n_sums);
  assert_int_equal(merge.n_files, n_files);
  assert_int_equal(merge.n_skipped, n_skipped);
}

/** Compare a sum with that of a single file. */
static void expect_sum(size_t i, const char *path) {
  struct merge alone = {0};

  assert_int_equal(merge_add(&alone, path, &err), 0);
  assert_int_equal(alone.n_sums, 1);
  const struct sum_file expected = byte_sink_file(&alone.sums[0].bytes);
  const struct sum_file found = byte_sink_file(&merge.sums[i].bytes);
  assert_int_equal(found.n_bytes, expected.n_bytes);
  assert_memory_equal(found.bytes, expected.bytes, found.n_bytes);
  merge_release(&alone);
}

// --- Sums ---

static void profiles_of_an_object_add_up(void **state) {
  (void)state;
  write_arc("1", ID, 3);
  write_arc("2", ID, 4);
  write_arc("other", "87654321", 5);
  write_arc("sum", ID, 7);
  add("1");
  add("other");
  add("2");
  expect_numbers(2, 3, 0);
  expect_sum(0, "sum");
  expect_sum(1, "other");
  assert_int_equal(merge.sums[0].n_files, 2);
  assert_int_equal(merge.sums[1].n_files, 1);
  assert_string_equal(merge.sums[0].first, "1");
  assert_false(merge.sums[0].is_side);
}

/** Neither names a program. */
static void side_files_without_objects_add_up(void **state) {
  (void)state;
  write_text("a", "arcline-side 1\nprocess 1 p\nclock seconds 100\nend\n");
  write_text("b", "arcline-side 1\nprocess 2 p\nclock seconds 100\nend\n");
  add("a");
  add("b");
  expect_numbers(1, 2, 0);
}

/** Written by others, arcs may come in any order. */
static void profiles_are_sorted_first(void **state) {
  struct builder sorted = made_gmon(ID), unsorted = made_gmon(ID);
  struct builder sum = made_gmon(ID);

  (void)state;
  made_arc(&sorted, 0x1004, 0x1100, 1);
  made_arc(&sorted, 0x1008, 0x1100, 2);
  made_arc(&unsorted, 0x1008, 0x1100, 10);
  made_arc(&unsorted, 0x1004, 0x1100, 20);
  made_arc(&sum, 0x1004, 0x1100, 41);
  made_arc(&sum, 0x1008, 0x1100, 22);
  write_builder("sorted", &sorted);
  write_builder("unsorted", &unsorted);
  write_builder("sum", &sum);
  assert_false(merge.has_unsorted);
  add("sorted");
  assert_false(merge.has_unsorted);
  add("unsorted");
  assert_true(merge.has_unsorted);
  add("unsorted");
  expect_numbers(1, 3, 0);
  expect_sum(0, "sum");
}

#define SIDE(pid)                                                              \
  "arcline-side 1\nprocess " pid " p\nclock seconds 100\n"                     \
  "object 0 " ID_TEXT " 0x0 g /p\nend\n"

static void side_files_are_sums_of_their_own(void **state) {
  (void)state;
  write_text("1", SIDE("7"));
  write_text("2", SIDE("8"));
  write_arc("3", ID, 1);
  add("1");
  add("3");
  add("2");
  expect_numbers(2, 3, 0);
  assert_true(merge.sums[0].is_side);
  assert_int_equal(merge.sums[0].n_files, 2);
  assert_false(merge.sums[1].is_side);
}

static void names_are_those_before_build_ids(void **state) {
  (void)state;
  write_arc("d/prog." ID_TEXT, ID, 1);
  write_arc("later." ID_TEXT, ID, 1);
  write_arc("another." ID_TEXT, ID, 1);
  write_arc("aaa.0000000000000000", ID, 1);
  write_arc("." ID_TEXT, ID, 1);
  add("aaa.0000000000000000");
  assert_null(merge.sums[0].name);
  add("." ID_TEXT);
  assert_null(merge.sums[0].name);
  add("d/prog." ID_TEXT);
  assert_string_equal(merge.sums[0].name, "prog");
  add("later." ID_TEXT);
  assert_string_equal(merge.sums[0].name, "later");
  add("another." ID_TEXT);
  add("d/prog." ID_TEXT);
  assert_string_equal(merge.sums[0].name, "another");
  expect_numbers(1, 6, 0);
}

static void sums_of_others_are_added(void **state) {
  struct merge other = {0};

  (void)state;
  write_arc("a." ID_TEXT, ID, 3);
  write_arc("sum", ID, 9);
  assert_int_equal(merge_add(&other, "a." ID_TEXT, &err), 0);
  assert_int_equal(merge_add(&other, "a." ID_TEXT, &err), 0);
  add("a." ID_TEXT);
  assert_int_equal(merge_add_sum(&merge, &other.sums[0], &err), 0);
  expect_numbers(1, 3, 0);
  assert_int_equal(merge.sums[0].n_files, 3);
  expect_sum(0, "sum");
  // More files can be added after the scratch memory was freed.
  merge_trim(&merge);
  merge_trim(&other);
  assert_int_equal(merge_add_sum(&merge, &other.sums[0], &err), 0);
  assert_int_equal(merge.n_files, 5);
  merge_release(&other);
}

// --- Files that do not fit ---

#define OVERLAP "histogram overlaps another one or has another bin width"

static void files_that_fit_most_others_are_kept(void **state) {
  (void)state;
  for (int first = 0; first < 2; first++) {
    write_bins("a", 0x1000);
    write_bins("b", 0x1004);
    add(first ? "b" : "a");
    add(first ? "a" : "b");
    add("b");
    expect_numbers(2, 3, 0);
    warnings_begin();
    assert_int_equal(merge_choose(&merge, &err), 0);
    expect_warnings("arcline: warning: a: " OVERLAP "; skipped\n");
    expect_numbers(1, 2, 1);
    assert_int_equal(merge.sums[0].n_files, 2);
    assert_string_equal(merge.sums[0].first, "b");
    merge_release(&merge);
  }
}

static void several_that_are_left_out_are_counted(void **state) {
  (void)state;
  write_bins("a", 0x1000);
  write_bins("b", 0x1004);
  write_arc("other", "87654321", 1);
  add("other");
  for (int i = 0; i < 3; i++) {
    add("a");
    add("b");
  }
  add("b");
  warnings_begin();
  assert_int_equal(merge_choose(&merge, &err), 0);
  expect_warnings("arcline: warning: a and 2 more: " OVERLAP "; skipped\n");
  expect_numbers(2, 5, 3);
}

/** With equal numbers, the choice does not depend on the order of files. */
static void of_as_many_the_larger_one_is_kept(void **state) {
  static const char *const paths[][2] = {{"a", "b"}, {"a", "long"}};

  (void)state;
  for (size_t i = 0; i < 4; i++) {
    const char *const *const pair = paths[i / 2];
    static const uint16_t bins[] = {1, 2, 3, 4};
    struct builder builder = made_gmon(ID);
    made_histogram(&builder, 0x1004, 0x1014, bins, 4);
    write_builder("long", &builder);
    write_bins("a", 0x1000);
    write_bins("b", 0x1001);
    add(pair[i % 2]);
    add(pair[1 - i % 2]);
    warnings_begin();
    assert_int_equal(merge_choose(&merge, &err), 0);
    expect_warnings("arcline: warning: a: " OVERLAP "; skipped\n");
    assert_string_equal(merge.sums[0].first, pair[1]);
    expect_numbers(1, 1, 1);
    merge_release(&merge);
  }
}

/** The histogram of c fits those of both a and b, which do not fit each other:
 * it was added to one of them, and the other one is skipped. */
static void sums_that_fit_after_all_are_joined(void **state) {
  (void)state;
  write_bins("a", 0x1000);
  write_bins("b", 0x1004);
  write_bins("other", 0x2000);
  write_arc("c", ID, 2);
  add("a");
  add("b");
  add("other");
  add("c");
  expect_numbers(2, 4, 0);
  warnings_begin();
  assert_int_equal(merge_choose(&merge, &err), 0);
  expect_warnings("arcline: warning: a: " OVERLAP "; skipped\n");
  expect_numbers(1, 3, 1);
}

static void no_more_than_a_few_are_tried(void **state) {
  static const uint64_t lows[] = {0x1000, 0x1002, 0x1004, 0x1006, 0x1001,
                                  0x1003, 0x1005, 0x1007, 0x1008};
  size_t n_sums = 0;

  (void)state;
  warnings_begin();
  for (size_t i = 0; i < sizeof(lows) / sizeof(lows[0]); i++) {
    static const uint16_t bins[] = {1, 2};
    struct builder builder = made_gmon(ID);
    char path[] = "0";
    path[0] = (char)('0' + i);
    made_histogram(&builder, lows[i], 0x1010, bins, 2);
    write_builder(path, &builder);
    add(path);
    n_sums += i < 8;
  }
  expect_warnings("arcline: warning: 8: " OVERLAP " (offset 20); skipped\n");
  expect_numbers(n_sums, 8, 1);
}

// --- Files and folders ---

static void damaged_files_are_left_out(void **state) {
  struct builder builder = made_gmon(ID);

  (void)state;
  made_arc(&builder, 0x1004, 0x1100, 1);
  builder.n_bytes -= 3;
  write_builder("cut", &builder);
  write_arc("whole", ID, 1);
  warnings_begin();
  add("whole");
  add("cut");
  add("none");
  expect_warnings(
      "arcline: warning: cut: truncated record (offset 20); skipped\narcline: "
      "warning: none: cannot open: No such file or directory; skipped\n");
  expect_numbers(1, 1, 2);
  assert_false(merge.has_unsorted);
  expect_sum(0, "whole");
  assert_int_equal(err.code, ERR_NONE);
}

/** The sum's files have names like theirs, and must stay in its folder. */
static void side_files_with_paths_are_left_out(void **state) {
  (void)state;
  write_text("a", "arcline-side 1\nobject 0 - 0x0 gmon.out/../x prog\nend\n");
  warnings_begin();
  add("a");
  expect_warnings("arcline: warning: a: malformed line, or reference to an "
                  "undefined object (offset 15); skipped\n");
  expect_numbers(0, 0, 1);
}

static void folders_that_cannot_be_read_are_counted(void **state) {
  const uid_t user = geteuid();

  (void)state;
  write_arc("d/a", ID, 1);
  assert_int_equal(mkdir("d/closed", 0), 0);
  assert_int_equal(chmod(".", 0711) || chmod("d", 0755), 0);
  warnings_begin();
  // Root may read everything.
  assert_int_equal(user == 0 ? seteuid(65534) : 0, 0);
  const int rc = merge_add(&merge, "d", &err);
  assert_int_equal(seteuid(user), 0);
  assert_int_equal(chmod("d/closed", 0700), 0);
  expect_warnings(
      "arcline: warning: d/closed: cannot read: Permission denied; skipped\n");
  assert_int_equal(rc, 0);
  expect_numbers(1, 1, 1);
}

#define UNKNOWN                                                                \
  "neither a gmon file of version 1 nor a side file (offset 0); skipped\n"

static void files_of_other_kinds_are_named_if_given(void **state) {
  (void)state;
  write_text("d/notes", "gmo");
  write_bytes("d/magic", GMON_MAGIC, GMON_MAGIC_BYTES);
  write_arc("d/profile", ID, 1);
  warnings_begin();
  add("d");
  expect_warnings("arcline: warning: d/magic: " UNKNOWN);
  expect_numbers(1, 1, 1);
  warnings_begin();
  add("d/notes");
  expect_warnings("arcline: warning: d/notes: " UNKNOWN);
  expect_numbers(1, 1, 2);
}

#define EMPTY ": file is empty, as after a full disk; skipped\n"

static void empty_files_are_named_if_called_as_profiles(void **state) {
  static const char *const ours[] = {
      "gmon.out", "my.gmon", "a.arcline", "a.7", "a.12", "a.0123456789abcdef"};
  static const char *const others[] = {"a",
                                       "a.",
                                       "a.x",
                                       "a.7f",
                                       "a.123456789abcdef",
                                       "a.0123456789abcdex",
                                       "a.arclines"};
  char path[64], expected[160];

  (void)state;
  for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
    snprintf(path, sizeof(path), "d/%s", ours[i]);
    snprintf(expected, sizeof(expected), "arcline: warning: %s" EMPTY, path);
    write_text(path, "");
    warnings_begin();
    add("d");
    expect_warnings(expected);
    unlink(path);
  }
  for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
    snprintf(path, sizeof(path), "d/%s", others[i]);
    write_text(path, "");
  }
  warnings_begin();
  add("d");
  expect_warnings("");
  expect_numbers(0, 0, sizeof(ours) / sizeof(ours[0]));
  warnings_begin();
  add("d/a.x");
  expect_warnings("arcline: warning: d/a.x" EMPTY);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(profiles_of_an_object_add_up),
      TEST(side_files_without_objects_add_up),
      TEST(profiles_are_sorted_first),
      TEST(side_files_are_sums_of_their_own),
      TEST(names_are_those_before_build_ids),
      TEST(sums_of_others_are_added),
      TEST(files_that_fit_most_others_are_kept),
      TEST(several_that_are_left_out_are_counted),
      TEST(of_as_many_the_larger_one_is_kept),
      TEST(sums_that_fit_after_all_are_joined),
      TEST(no_more_than_a_few_are_tried),
      TEST(damaged_files_are_left_out),
      TEST(side_files_with_paths_are_left_out),
      TEST(folders_that_cannot_be_read_are_counted),
      TEST(files_of_other_kinds_are_named_if_given),
      TEST(empty_files_are_named_if_called_as_profiles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
