/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tree of files: order, folders that are one row, sums, headers of the
   system. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "html/changed_files.h"
#include "html/file_tree.h"
#include "report/annotate.h"

enum { MAX_FILES = 16 };

static void order_is_folders_first(void **state) {
  static const char *const sorted[] = {
      "/a/b/c.c", "/a/b/d.c", "/a/b-b/c.c", "/a/b.c",
      "/a/c.c",   "/b/a.c",   "a/b.c",      "b.c",
  };
  const size_t n = sizeof(sorted) / sizeof(*sorted);

  (void)state;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      const int order = file_tree_compare(sorted[i], sorted[k]);
      assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
    }
}

/** The tree of files as text: a row is its depth, its name, its lines and its
 * changed lines. n_own: files before those of the system. Each has as many
 * lines as its number from 1. */
static void expect(const char *const *paths, size_t n, size_t n_own,
                   const char *expected) {
  struct annotate_file files[MAX_FILES] = {{0}};
  struct changed_file counts[MAX_FILES] = {{0}};
  const struct annotate_file *sorted[MAX_FILES] = {0};
  char *names[MAX_FILES] = {0};
  const struct changed_files changed = {.files = counts, .n_files = n};
  struct file_tree tree;
  struct err err = {0};
  char text[1024] = "";

  for (size_t i = 0; i < n; i++) {
    files[i].i_file = (uint32_t)i;
    files[i].at.end_line = i + 1;
    files[i].kind = i < n_own ? SOURCE_OWN : SOURCE_SYSTEM;
    counts[i].n_lines = 10 * (i + 1);
    names[i] = strdup(paths[i]);
    assert_non_null(names[i]);
    sorted[i] = &files[i];
  }
  assert_int_equal(file_tree_build(sorted, n, names, &changed, &tree, &err), 0);
  for (size_t i = 0; i < tree.n_rows; i++) {
    const struct file_tree_row *const row = &tree.rows[i];
    const size_t n_text = strlen(text);
    snprintf(text + n_text, sizeof(text) - n_text, "%u %.*s %zu %zu%s\n",
             row->depth, (int)row->n_bytes, row->name, row->sums.n_lines,
             row->sums.n_changed, row->file ? "" : " all");
  }
  assert_string_equal(text, expected);
  file_tree_release(&tree);
  for (size_t i = 0; i < n; i++)
    free(names[i]);
}

static void folders_have_sums(void **state) {
  static const char *const paths[] = {"/p/lib/a/one.c", "/p/lib/a/two.c",
                                      "/p/lib/b/three.c", "/p/main.c"};

  (void)state;
  expect(paths, 4, 4,
         "0 /p/ 10 100 all\n"
         "1 lib/ 6 60 all\n"
         "2 a/ 3 30 all\n"
         "3 one.c 1 10\n"
         "3 two.c 2 20\n"
         "2 b/ 3 30 all\n"
         "3 three.c 3 30\n"
         "1 main.c 4 40\n");
}

static void folders_of_one_folder_are_one_row(void **state) {
  static const char *const paths[] = {"/p/q/r/s/one.c", "/p/q/r/t/u/two.c",
                                      "three.c"};

  (void)state;
  expect(paths, 3, 3,
         "0 /p/q/r/ 3 30 all\n"
         "1 s/ 1 10 all\n"
         "2 one.c 1 10\n"
         "1 t/u/ 2 20 all\n"
         "2 two.c 2 20\n"
         "0 three.c 3 30\n");
}

static void the_systems_files_are_apart(void **state) {
  static const char *const paths[] = {"/usr/src/own.c", "/usr/include/a.h",
                                      "/usr/include/b/c.h"};

  (void)state;
  expect(paths, 3, 1,
         "0 /usr/src/ 1 10 all\n"
         "1 own.c 1 10\n"
         "0 System headers 5 50 all\n"
         "1 /usr/include/ 5 50 all\n"
         "2 a.h 2 20\n"
         "2 b/ 3 30 all\n"
         "3 c.h 3 30\n");
  expect(paths + 1, 2, 0,
         "0 /usr/include/ 3 30 all\n"
         "1 a.h 1 10\n"
         "1 b/ 2 20 all\n"
         "2 c.h 2 20\n");
}

static void names_may_be_strange(void **state) {
  static const char *const paths[] = {"//x/a.c", "/a.c", "", "b"};

  (void)state;
  expect(paths, 4, 4,
         "0 //x/ 1 10 all\n1 a.c 1 10\n0 /a.c 2 20\n0  3 30\n0 b 4 40\n");
  expect(paths, 0, 0, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_is_folders_first),
      cmocka_unit_test(folders_have_sums),
      cmocka_unit_test(folders_of_one_folder_are_one_row),
      cmocka_unit_test(the_systems_files_are_apart),
      cmocka_unit_test(names_may_be_strange),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
