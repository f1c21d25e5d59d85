/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finding and reading source files: order of places, maps, rejected files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "debug/source.h"
#include "scratch.h"

static void assert_found(const struct source_paths *paths, const char *name,
                         const char *expected) {
  struct source_text text;
  struct err err = {0};
  int reason = -1;

  assert_int_equal(source_load(paths, name, &text, &reason, &err), 0);
  assert_int_equal(reason, 0);
  assert_string_equal(text.bytes, expected);
  source_release(&text);
  assert_null(text.bytes);
}

static void assert_missing(const struct source_paths *paths, const char *name,
                           int expected) {
  struct source_text text;
  struct err err = {0};
  int reason = 0;

  assert_int_equal(source_load(paths, name, &text, &reason, &err), -1);
  assert_int_equal(reason, expected);
  assert_int_equal(err.code, ERR_INPUT);
  assert_non_null(strstr(err.text, name));
  assert_null(text.bytes);
}

static void names_are_joined_until_absolute(void **state) {
  static const struct {
    const char *comp_dir, *dir, *name, *expected;
  } cases[] = {
      {"/c", "d", "n", "/c/d/n"},   {"/c", "/d", "n", "/d/n"},
      {"/c", "d", "/n", "/n"},      {"/c", NULL, "n", "/c/n"},
      {NULL, "d", "n", "d/n"},      {"", "", "n", "n"},
      {"/c", "..", "n", "/c/../n"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char *joined = source_join(cases[i].comp_dir, cases[i].dir, cases[i].name);
    assert_string_equal(joined, cases[i].expected);
    free(joined);
  }
}

static void assert_mapped(const struct source_paths *paths, const char *name,
                          const char *expected) {
  char *const mapped = source_map_name(paths, strdup(name));

  assert_non_null(mapped);
  assert_string_equal(mapped, expected);
  free(mapped);
}

static void directories_are_tried_in_order(void **state) {
  struct source_paths paths = {0};
  struct err err = {0};

  (void)state;
  mkdir("one", 0700);
  mkdir("two", 0700);
  mkdir("two/sub", 0700);
  write_text("two/x.c", "two");
  write_text("two/sub/x.c", "sub");
  write_text("two/y.c", "y");
  assert_int_equal(source_paths_add_dirs(&paths, "one:two", &err), 0);
  assert_int_equal(paths.n_dirs, 2);
  assert_found(&paths, "x.c", "two");
  assert_found(&paths, "sub/x.c", "sub");
  assert_found(&paths, "nowhere/y.c", "y");
  assert_found(&paths, "/nowhere/sub/x.c", "two");
  write_text("one/x.c", "one");
  assert_found(&paths, "/nowhere/sub/x.c", "one");
  assert_missing(&paths, "z.c", ENOENT);
  source_paths_release(&paths);
  assert_missing(&paths, "/nowhere/y.c", ENOENT);
}

static void first_fitting_map_wins(void **state) {
  struct source_paths paths = {0};
  struct err err = {0};

  (void)state;
  assert_int_equal(source_paths_add_map(&paths, "/build/tree/=new", &err), 0);
  assert_int_equal(source_paths_add_map(&paths, "/build=elsewhere", &err), 0);
  assert_int_equal(source_paths_add_map(&paths, "/one.c=other.c", &err), 0);
  assert_mapped(&paths, "/build/tree/x.c", "new/x.c");
  assert_mapped(&paths, "/build/./tree//y/../x.c", "new/x.c");
  assert_mapped(&paths, "/one.c", "other.c");
  // A whole part of the path must match.
  assert_mapped(&paths, "/build/trees/x.c", "elsewhere/trees/x.c");
  assert_mapped(&paths, "/builds/x.c", "/builds/x.c");
  assert_mapped(&paths, "x/../y.c", "y.c");
  assert_mapped(&paths, "", "");
  source_paths_release(&paths);
}

static void a_map_of_the_present_folder_is_of_relative_names(void **state) {
  struct source_paths paths = {0};
  struct err err = {0};

  (void)state;
  assert_int_equal(source_paths_add_map(&paths, "./build/=/b", &err), 0);
  assert_int_equal(source_paths_add_map(&paths, ".=/home/me/./pkg/", &err), 0);
  assert_mapped(&paths, "src/x.c", "/home/me/pkg/src/x.c");
  assert_mapped(&paths, "./src/x.c", "/home/me/pkg/src/x.c");
  assert_mapped(&paths, "build/x.c", "/b/x.c");
  assert_mapped(&paths, "/src/x.c", "/src/x.c");
  source_paths_release(&paths);
}

static void names_from_above_the_compilers_folder_are_relative(void **state) {
  struct source_paths paths = {0};
  struct err err = {0};

  (void)state;
  assert_mapped(NULL, "/proc/self/cwd/../src/x.c", "../src/x.c");
  assert_mapped(NULL, "/proc/self/cwd/./a/../../../x.c", "../../x.c");
  assert_mapped(NULL, "/proc/self/cwd//a/../..x/", "/proc/self/cwd/..x");
  assert_mapped(NULL, "/proc/self/cwd/.", "/proc/self/cwd");
  assert_mapped(NULL, "/proc/self/../x.c", "/proc/x.c");
  assert_int_equal(source_paths_add_map(&paths, "/proc/self/cwd=/b/c", &err),
                   0);
  assert_mapped(&paths, "/proc/self/cwd/x.c", "/b/c/x.c");
  assert_mapped(&paths, "/proc/self/cwd/../x.c", "/b/x.c");
  source_paths_release(&paths);
}

static void folders_of_images_are_tried_up_to_the_root(void **state) {
  static const char *const folders[] = {"o", "o/p", "o/p/src", "o/p/build",
                                        "o/p/build/bin"};
  char *const root = realpath(".", NULL);
  struct source_paths paths = {0};
  struct err err = {0};

  (void)state;
  for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
    mkdir(folders[i], 0700);
  write_text("o/p/src/x.c", "x");
  write_text("o/p/build/bin/own.c", "own");
  write_text("o/p/build/bin/prog", "");
  write_text("o/above.c", "above");
  assert_int_equal(source_paths_add_image(&paths, "o/p/build/bin/prog", &err),
                   0);
  assert_int_equal(source_paths_add_image(&paths, "o/p/build/bin/prog", &err),
                   0);
  assert_int_equal(paths.n_built, 1);
  assert_found(&paths, "own.c", "own");
  assert_missing(&paths, "../src/x.c", ENOENT);
  char inner[4096];
  snprintf(inner, sizeof(inner), "%s/o/p", root);
  paths.root = inner;
  assert_found(&paths, "../src/x.c", "x");
  assert_found(&paths, "/proc/self/cwd/src/x.c", "x");
  assert_missing(&paths, "above.c", ENOENT);
  source_paths_release(&paths);
  free(root);
}

static void what_did_not_move_is_found(void **state) {
  struct source_paths paths = {0};
  struct err err = {0};

  (void)state;
  mkdir("old", 0700);
  mkdir("now", 0700);
  write_text("old/stayed.c", "stayed");
  write_text("old/both.c", "old");
  write_text("now/both.c", "now");
  assert_int_equal(source_paths_add_map(&paths, "old=now", &err), 0);
  assert_found(&paths, "now/stayed.c", "stayed");
  assert_found(&paths, "now/both.c", "now");
  assert_missing(&paths, "now/none.c", ENOENT);
  source_paths_release(&paths);
}

static void maps_without_from_are_refused(void **state) {
  struct source_paths paths = {0};
  struct err err = {0};

  (void)state;
  assert_int_equal(source_paths_add_map(&paths, "/build", &err), -1);
  assert_int_equal(err.code, ERR_USAGE);
  assert_int_equal(source_paths_add_map(&paths, "=x", &err), -1);
  assert_int_equal(paths.n_maps, 0);
}

static void only_regular_files_are_read(void **state) {
  const struct source_paths paths = {0};

  (void)state;
  mkdir("folder", 0700);
  assert_int_equal(mkfifo("pipe", 0600), 0);
  assert_missing(&paths, "folder", EISDIR);
  assert_missing(&paths, "pipe", EINVAL); // and it does not wait for a writer
  assert_missing(&paths, "/dev/null", EINVAL);
}

static void larger_files_are_refused(void **state) {
  const struct source_paths paths = {0};

  (void)state;
  write_text("large", "");
  assert_int_equal(truncate("large", (off_t)SOURCE_MAX_BYTES + 1), 0);
  assert_missing(&paths, "large", EFBIG);
}

static void assert_lines(const char *text, const size_t *starts,
                         size_t n_lines) {
  const struct source_paths paths = {0};
  struct source_text found;
  struct err err = {0};
  int reason;

  write_text("lines", text);
  assert_int_equal(source_load(&paths, "lines", &found, &reason, &err), 0);
  assert_int_equal(found.n_lines, n_lines);
  assert_int_equal(found.n_bytes, strlen(text));
  for (size_t i = 0; i <= n_lines; i++)
    assert_int_equal(found.line_starts[i], starts[i]);
  source_release(&found);
}

static void lines_are_found(void **state) {
  (void)state;
  assert_lines("", (size_t[]){0}, 0);
  assert_lines("\n", (size_t[]){0, 1}, 1);
  assert_lines("ab\nc\n", (size_t[]){0, 3, 5}, 2);
  assert_lines("ab\n\nc", (size_t[]){0, 3, 4, 5}, 3);
}

static void a_line_ends_before_its_end(void **state) {
  char bytes[] = " \t a b \r\n\n \t";
  size_t starts[] = {0, 9, 10, 12}, n = 99;
  const struct source_text text = {
      .bytes = bytes, .n_bytes = 12, .line_starts = starts, .n_lines = 3};

  (void)state;
  assert_ptr_equal(source_line(&text, 1, &n), bytes);
  assert_int_equal(n, 7);
  assert_ptr_equal(source_line_trimmed(&text, 1, &n), bytes + 3);
  assert_int_equal(n, 4);
  assert_ptr_equal(source_line(&text, 2, &n), bytes + 9);
  assert_int_equal(n, 0);
  assert_ptr_equal(source_line_trimmed(&text, 3, &n), bytes + 12);
  assert_int_equal(n, 0);
  assert_null(source_line(&text, 0, &n));
  assert_null(source_line(&text, 4, &n));
  assert_null(source_line_trimmed(&text, 4, &n));
}

#define IN_FOLDER(test)                                                        \
  cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_joined_until_absolute),
      IN_FOLDER(directories_are_tried_in_order),
      cmocka_unit_test(first_fitting_map_wins),
      cmocka_unit_test(a_map_of_the_present_folder_is_of_relative_names),
      cmocka_unit_test(names_from_above_the_compilers_folder_are_relative),
      IN_FOLDER(folders_of_images_are_tried_up_to_the_root),
      IN_FOLDER(what_did_not_move_is_found),
      cmocka_unit_test(maps_without_from_are_refused),
      IN_FOLDER(only_regular_files_are_read),
      IN_FOLDER(larger_files_are_refused),
      cmocka_unit_test(a_line_ends_before_its_end),
      IN_FOLDER(lines_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
