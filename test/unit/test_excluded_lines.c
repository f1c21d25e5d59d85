/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comments that exclude lines from coverage: markers and their lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "counts/excluded_lines.h"
#include "debug/source.h"
#include "debug/source_filter.h"
#include "scratch.h"

enum { MAX_LINES = 16 };

/* Mark a text; its lines as a letter each: L excluded, b branches alone, f
   function; . none. NULL: there are no markers. */
static char *marks_by(const char *bytes, const struct source_markers *own) {
  static char marks[MAX_LINES + 1];
  struct source_text text;
  struct err err = {0};
  uint8_t *flags;
  int reason;

  write_text("text.c", bytes);
  assert_int_equal(source_load(NULL, "text.c", &text, &reason, &err), 0);
  assert_true(text.n_lines <= MAX_LINES);
  assert_int_equal(excluded_lines_mark(&text, "text.c", own, &flags, &err), 0);
  for (size_t i = 0; flags && i < text.n_lines; i++)
    marks[i] = flags[i + 1] & EXCLUDED_LINE       ? 'L'
               : flags[i + 1] & EXCLUDED_FUNC     ? 'f'
               : flags[i + 1] & EXCLUDED_BRANCHES ? 'b'
                                                  : '.';
  marks[flags ? text.n_lines : 0] = '\0';
  free(flags);
  source_release(&text);
  return flags ? marks : NULL;
}

static char *marks_of(const char *bytes) {
  static const struct source_markers none;

  return marks_by(bytes, &none);
}

static void a_marker_excludes_its_line(void **state) {
  (void)state;
  assert_string_equal(marks_of("a\nb // LCOV_EXCL_LINE\nc\n"), ".L.");
  assert_string_equal(marks_of("/*GCOVR_EXCL_LINE*/ a\nb\n"), "L.");
  assert_string_equal(marks_of("a // GCOV_EXCL_LINE"), "L");
  assert_string_equal(marks_of("\n\nx // LCOV_UNREACHABLE_LINE\n"), "..L");
  assert_string_equal(marks_of("a // LCOV_EXCL_BR_LINE\nb\n"), "b.");
  assert_string_equal(marks_of("f() { // GCOVR_EXCL_FUNCTION\n}\n"), "f.");
}

static void a_range_ends_before_its_stop(void **state) {
  (void)state;
  assert_string_equal(
      marks_of("a\n// LCOV_EXCL_START\nb\nc\n// LCOV_EXCL_STOP\nd\n"),
      ".LLL..");
  assert_string_equal(marks_of("// GCOVR_EXCL_BR_START\nb\n"
                               "c // LCOV_EXCL_LINE\n// GCOVR_EXCL_BR_STOP\n"),
                      "bbL.");
  // Two on one line; one range after the other.
  assert_string_equal(marks_of("// LCOV_EXCL_START LCOV_EXCL_BR_START\na\n"
                               "// LCOV_EXCL_STOP\nb\n// LCOV_EXCL_BR_STOP\nc\n"
                               "// LCOV_EXCL_START\nd\n// LCOV_EXCL_STOP\n"),
                      "LLbb..LL.");
}

static void markers_without_a_partner_exclude_what_they_can(void **state) {
  (void)state;
  warnings_begin();
  assert_string_equal(marks_of("a\n// LCOV_EXCL_STOP\nb\n"), "...");
  assert_string_equal(marks_of("a\n// LCOV_EXCL_START\nb\nc"), ".LLL");
  assert_string_equal(marks_of("// LCOV_EXCL_START\na\n// LCOV_EXCL_START\nb\n"
                               "// LCOV_EXCL_STOP\nc\n// LCOV_EXCL_STOP\nd\n"),
                      "LLLL....");
  expect_warnings(
      "arcline: warning: text.c:2: EXCL_STOP has no start before it\n"
      "arcline: warning: text.c:2: EXCL_START has no stop after it: it "
      "excludes "
      "the rest of the file\n"
      "arcline: warning: text.c:3: EXCL_START follows the start of line 1 "
      "without a stop in between\n"
      "arcline: warning: text.c:7: EXCL_STOP has no start before it\n");
}

static void a_project_has_markers_of_its_own(void **state) {
  static const char *const options[] = {
      "line=coverage:ignore", "start=cov(off)", "stop=cov(on)",
      "br-line=nobranch", "function=@generated"};
  static const char *const wrong[] = {
      "", "line", "line=", "lines=x", "=text", "br=x", "br-function=x"};
  struct source_markers own = {0};
  struct err err = {0};

  (void)state;
  for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
    assert_int_equal(source_markers_add(&own, options[i], &err), 0);
  assert_string_equal(marks_by("a // coverage:ignore\nb\n", &own), "L.");
  assert_string_equal(
      marks_by("a // cov(off)\nb\nc // cov(on)\nd // nobranch\n", &own),
      "LL.b");
  assert_string_equal(marks_by("f() { // @generated\n}\n", &own), "f.");
  // In the order of the text, together with the usual ones.
  assert_string_equal(
      marks_by("// LCOV_EXCL_START\na\n// cov(on)\nb\n// cov(off)\nc\n"
               "// LCOV_EXCL_STOP\nd\n",
               &own),
      "LL..LL..");
  // Whole words only.
  assert_null(marks_by("xcoverage:ignore\ncoverage:ignored\n", &own));
  warnings_begin();
  assert_string_equal(marks_by("a // cov(on)\nb // cov(off)\nc\n", &own),
                      ".LL");
  expect_warnings("arcline: warning: text.c:1: cov(on) has no start before it\n"
                  "arcline: warning: text.c:2: cov(off) has no stop after it: "
                  "it excludes the rest of the file\n");
  for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
    assert_int_equal(source_markers_add(&own, wrong[i], &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
  }
  source_markers_release(&own);
}

static void other_words_are_no_markers(void **state) {
  static const char *const texts[] = {"",
                                      "COV",
                                      "LCOV_EXCL_LINES\n",
                                      "XLCOV_EXCL_LINE\n",
                                      "_GCOVR_EXCL_LINE\n",
                                      "COV_EXCL_LINE\n",
                                      "LCOV_EXCL_\n",
                                      "LCOV_EXCL_BR_FUNCTION\n",
                                      "LCOV_EXCL_EXCEPTION_BR_LINE\n",
                                      "MCOV_EXCL_LINE\n",
                                      "LCOV-EXCL-LINE LCOV\n"};

  (void)state;
  for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
    assert_null(marks_of(texts[i]));
}

static void patterns_select_files(void **state) {
  struct source_filter filter = {0};
  struct err err = {0};

  (void)state;
  assert_true(source_filter_has(&filter, "/src/a.c"));
  assert_false(source_filter_has(&filter, ""));
  assert_false(source_filter_has(&filter, "/usr/include/stdio.h"));
  filter.has_all = true;
  assert_true(source_filter_has(&filter, "/usr/include/stdio.h"));
  filter.has_all = false;
  assert_int_equal(source_patterns_add(&filter.excludes, "third_party/*", &err),
                   0);
  assert_false(source_filter_has(&filter, "/src/third_party/zlib/inflate.c"));
  assert_int_equal(source_filter_kind(&filter, "third_party/a.c"),
                   SOURCE_EXCLUDED);
  assert_int_equal(source_filter_kind(&filter, "/usr/include/stdio.h"),
                   SOURCE_SYSTEM);
  assert_true(source_filter_has(&filter, "/src/parser/third.c"));
  assert_int_equal(source_patterns_add(&filter.includes, "parser/*", &err), 0);
  assert_int_equal(
      source_patterns_add(&filter.includes, "/usr/include/*", &err), 0);
  assert_true(source_filter_has(&filter, "/src/parser/a.c"));
  assert_true(source_filter_has(&filter, "/usr/include/stdio.h"));
  assert_false(source_filter_has(&filter, "/src/main.c"));
  assert_false(
      source_filter_has(&filter, "/src/third_party/x/parser/tables.c"));
  assert_int_equal(source_patterns_add(&filter.includes, "", &err), -1);
  assert_int_equal(err.code, ERR_USAGE);
  source_filter_release(&filter);
}

static void a_root_selects_the_files_below_it(void **state) {
  static const char *const others[] = {"/build"};
  struct source_filter filter = {.root = {.folder = "/home/me/project",
                                          .alias = "/data/project",
                                          .others = others,
                                          .n_others = 1}};
  struct err err = {0};

  (void)state;
  assert_int_equal(source_filter_kind(&filter, "/home/me/project/a.c"),
                   SOURCE_OWN);
  assert_int_equal(source_filter_kind(&filter, "/data/project/a.c"),
                   SOURCE_OWN);
  assert_int_equal(source_filter_kind(&filter, "/build/generated.c"),
                   SOURCE_OWN);
  assert_int_equal(source_filter_kind(&filter, "sub/a.c"), SOURCE_OWN);
  assert_int_equal(source_filter_kind(&filter, "/home/me/projects/a.c"),
                   SOURCE_OUTSIDE);
  assert_int_equal(source_filter_kind(&filter, "/opt/lib/a.c"), SOURCE_OUTSIDE);
  assert_int_equal(source_filter_kind(&filter, "/usr/include/stdio.h"),
                   SOURCE_SYSTEM);
  assert_string_equal(
      source_root_relative(&filter.root, "/home/me/project/src/a.c"),
      "src/a.c");
  assert_string_equal(source_root_relative(&filter.root, "/data/project/b.c"),
                      "b.c");
  assert_string_equal(source_root_relative(&filter.root, "/opt/lib/a.c"),
                      "/opt/lib/a.c");
  assert_int_equal(source_patterns_add(&filter.includes, "lib/*", &err), 0);
  assert_int_equal(source_filter_kind(&filter, "/opt/lib/a.c"), SOURCE_OWN);
  source_filter_release(&filter);
  // The root of the file system has everything.
  filter.root.folder = "";
  assert_int_equal(source_filter_kind(&filter, "/opt/lib/a.c"), SOURCE_OWN);
  assert_string_equal(source_root_relative(&filter.root, "/opt/a.c"),
                      "opt/a.c");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_marker_excludes_its_line),
      cmocka_unit_test(a_range_ends_before_its_stop),
      cmocka_unit_test(markers_without_a_partner_exclude_what_they_can),
      cmocka_unit_test(other_words_are_no_markers),
      cmocka_unit_test(a_project_has_markers_of_its_own),
      cmocka_unit_test(patterns_select_files),
      cmocka_unit_test(a_root_selects_the_files_below_it),
  };

  return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
