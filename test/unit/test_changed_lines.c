/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Changed lines as git prints them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "diff/changed_lines.h"

static struct changed_lines read_text(const char *text, const char *root) {
  struct changed_lines changed = {0};
  struct err err = {0};
  FILE *const stream = fmemopen((void *)text, strlen(text), "r");

  assert_int_equal(changed_lines_read(stream, &changed, &err), 0);
  fclose(stream);
  changed.root = root ? strdup(root) : NULL;
  return changed;
}

static bool has(const struct changed_lines *changed, const char *name,
                uint32_t line) {
  const long i_path = changed_lines_path(changed, name);

  return i_path != CHANGED_NO_PATH && changed_lines_have(changed, i_path, line);
}

static void ranges_of_files(void **state) {
  struct changed_lines changed = read_text("diff --git src/a.c src/a.c\n"
                                           "index 1..2 100644\n"
                                           "--- src/a.c\n"
                                           "+++ src/a.c\n"
                                           "@@ -3 +3,2 @@ int f(void)\n"
                                           "-old\n"
                                           "+new\n"
                                           "+++ src/text-of-a-line.c\n"
                                           "@@ -9,2 +9,0 @@ only taken away\n"
                                           "-x\n"
                                           "-y\n"
                                           "diff --git b.c b.c\n"
                                           "--- b.c\n"
                                           "+++ b.c\n"
                                           "@@ -0,0 +1 @@\n"
                                           "+int x;\n",
                                           "/tree");

  (void)state;
  assert_int_equal(changed.n_paths, 2);
  assert_false(has(&changed, "/tree/src/a.c", 2));
  assert_true(has(&changed, "/tree/src/a.c", 3));
  assert_true(has(&changed, "/tree/src/a.c", 4));
  assert_false(has(&changed, "/tree/src/a.c", 5));
  assert_false(has(&changed, "/tree/src/a.c", 9));
  assert_true(has(&changed, "/tree/b.c", 1));
  assert_false(has(&changed, "/tree/src/b.c", 1)); // another file of the tree
  assert_true(has(&changed, "/build/in/a/container/src/a.c", 3));
  assert_false(has(&changed, "/other/xsrc/a.c", 3));
  changed_lines_release(&changed);
}

static void replaced_lines(void **state) {
  struct changed_lines changed = read_text("diff --git a.c a.c\n"
                                           "+++ a.c\n"
                                           "@@ -3,2 +3 @@\n"
                                           "@@ -9,2 +8,0 @@\n"
                                           "@@ -12,0 +10,3 @@\n",
                                           NULL);
  const struct changed_range *const ranges = changed.ranges;

  (void)state;
  assert_int_equal(changed.n_ranges, 3);
  assert_int_equal(ranges[0].old_first, 3);
  assert_int_equal(ranges[0].old_last, 4);
  assert_int_equal(ranges[1].first, 9); // none, before line 9
  assert_int_equal(ranges[1].last, 8);
  assert_int_equal(ranges[2].old_first, 13);
  assert_int_equal(ranges[2].old_last, 12);
  assert_int_equal(ranges[2].last, 12);
  assert_false(has(&changed, "a.c", 8));
  assert_false(has(&changed, "a.c", 9));
  changed_lines_release(&changed);
}

static void odd_names(void **state) {
  struct changed_lines changed = read_text("diff --git x x\n"
                                           "+++ \"q\\\"uo\\303\\244te.c\"\n"
                                           "@@ -1 +1 @@\n"
                                           "diff --git y y\n"
                                           "+++ with blank.c\t\n"
                                           "@@ -1 +7 @@\n"
                                           "@@ nonsense\n"
                                           "@@ -1 +99999999999999999999 @@\n"
                                           "diff --git z z\n"
                                           "+++ \"z\\\n"
                                           "@@ -1 +2 @@\n",
                                           NULL);

  (void)state;
  assert_true(has(&changed, "z\\", 2));
  assert_true(has(&changed, "q\"uo\303\244te.c", 1));
  assert_true(has(&changed, "with blank.c", 7));
  assert_int_equal(changed.n_ranges, 3);
  changed_lines_release(&changed);
}

static void renamed_files(void **state) {
  struct changed_lines changed = read_text("diff --git old.c src/new.c\n"
                                           "similarity index 90%\n"
                                           "rename from old.c\n"
                                           "rename to src/new.c\n"
                                           "index 1..2 100644\n"
                                           "--- old.c\n"
                                           "+++ src/new.c\n"
                                           "@@ -3 +4 @@\n"
                                           "-a\n"
                                           "+b\n"
                                           "diff --git moved.c src/moved.c\n"
                                           "similarity index 100%\n"
                                           "rename from moved.c\n"
                                           "rename to src/moved.c\n",
                                           "/tree");

  (void)state;
  assert_int_equal(changed.n_paths, 1);
  assert_true(has(&changed, "/tree/src/new.c", 4));
  assert_false(has(&changed, "/tree/src/new.c", 3));
  assert_false(has(&changed, "/tree/old.c", 4));
  changed_lines_release(&changed);
}

static void the_longest_path_of_a_name(void **state) {
  struct changed_lines changed = read_text("diff --git a.c a.c\n"
                                           "+++ a.c\n"
                                           "@@ -1 +1 @@\n"
                                           "diff --git sub/a.c sub/a.c\n"
                                           "+++ sub/a.c\n"
                                           "@@ -2 +2 @@\n",
                                           "/tree");

  (void)state;
  assert_true(has(&changed, "/elsewhere/sub/a.c", 2));
  assert_false(has(&changed, "/elsewhere/sub/a.c", 1));
  assert_true(has(&changed, "/elsewhere/a.c", 1));
  changed_lines_release(&changed);
}

static void a_revision_is_no_option(void **state) {
  struct changed_lines changed;
  struct err err = {0};

  (void)state;
  assert_int_equal(
      changed_lines_find("--changed-since", "--output=file", &changed, &err),
      -1);
  assert_non_null(strstr(err.text, "not a git revision"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_of_files),
      cmocka_unit_test(replaced_lines),
      cmocka_unit_test(odd_names),
      cmocka_unit_test(renamed_files),
      cmocka_unit_test(the_longest_path_of_a_name),
      cmocka_unit_test(a_revision_is_no_option),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
