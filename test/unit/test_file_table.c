/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of source files: one number for one file, however it is written. */
#include "scratch.h"

#include "base/err.h"
#include "debug/file_table.h"
#include "debug/source_filter.h"

#include <limits.h>
#include <sys/stat.h>

enum { N_MANY = 5000 };

static uint32_t add(struct file_table *table, const char *comp_dir,
                    const char *name) {
  struct err err = {0};
  uint32_t i_file = UINT32_MAX;

  assert_int_equal(file_table_add(table, comp_dir, name, &i_file, &err), 0);
  return i_file;
}

static void test_cleaned(void **state) {
  static const struct {
    const char *comp_dir, *name, *expected;
  } cases[] = {
      {"/src", "a.c", "/src/a.c"},
      {"/src/", "./a.c", "/src/a.c"},
      {"/src/build", "../a.c", "/src/a.c"},
      {"/src", "/usr/include/a.h", "/usr/include/a.h"},
      {"/src", "x/../../y//z/./a.c", "/y/z/a.c"},
      {"/", "../../a.c", "/a.c"},
      {NULL, "a.c", "a.c"},
      {"", "../b/../a.c", "../a.c"},
      {NULL, "../../a.c", "../../a.c"},
      {NULL, "x/..", "."},
      {NULL, "..x/.y/...", "..x/.y/..."},
      {NULL, "", ""},
  };
  struct file_table table = {0};

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    const uint32_t i_file = add(&table, cases[i].comp_dir, cases[i].name);
    assert_string_equal(table.names[i_file], cases[i].expected);
  }
  file_table_release(&table);
}

static void test_same_file_same_number(void **state) {
  struct file_table table = {0};

  (void)state;
  const uint32_t first = add(&table, "/src", "a.c");
  assert_int_not_equal(add(&table, "/src", "b.c"), first);
  assert_int_equal(add(&table, "/src/lib", "../a.c"), first);
  assert_int_equal(add(&table, NULL, "/src/a.c"), first);
  assert_int_equal(table.n_names, 2);
  file_table_release(&table);
}

static void test_many(void **state) {
  struct file_table table = {0};
  char name[32];

  (void)state;
  for (unsigned round = 0; round < 2; round++)
    for (uint32_t i = 0; i < N_MANY; i++) {
      snprintf(name, sizeof(name), "dir%u/file%u.c", i % 7, i);
      assert_int_equal(add(&table, "/src", name), i);
    }
  assert_int_equal(table.n_names, N_MANY);
  file_table_release(&table);
  file_table_release(&table);
}

static void test_absurdly_long_name(void **state) {
  static char name[FILE_TABLE_NAME_BYTES + 2];
  struct file_table table = {0};
  struct err err = {0};
  uint32_t i_file;

  (void)state;
  memset(name, 'x', sizeof(name) - 1);
  assert_int_equal(file_table_add(&table, NULL, name, &i_file, &err), -1);
  assert_int_equal(err.code, ERR_INPUT);
  assert_int_equal(file_table_add(&table, name, "a.c", &i_file, &err), -1);
  name[FILE_TABLE_NAME_BYTES] = '\0';
  assert_int_equal(add(&table, NULL, name), 0);
  file_table_release(&table);
}

/** Links of folders lead to one file, whichever name comes first. */
static void test_links_of_folders(void **state) {
  struct file_table table = {.follows_links = true};
  struct file_table plain = {0};
  uint32_t i = 0, i_file;

  (void)state;
  assert_int_equal(mkdir("real", 0777), 0);
  assert_int_equal(symlink("real", "link"), 0);
  assert_int_equal(symlink("real", "again"), 0);
  close(open("real/a.c", O_CREAT | O_WRONLY, 0666));
  close(open("real/b.c", O_CREAT | O_WRONLY, 0666));
  assert_int_equal(symlink("b.c", "real/c.c"), 0);
  const uint32_t a = add(&table, scratch_folder, "link/a.c");
  const uint32_t b = add(&table, scratch_folder, "real/b.c");
  assert_int_equal(add(&table, scratch_folder, "again/a.c"), a);
  assert_int_equal(add(&table, scratch_folder, "real/a.c"), a);
  assert_int_equal(add(&table, scratch_folder, "again/a.c"), a);
  assert_int_equal(add(&table, scratch_folder, "link/b.c"), b);
  // A link of the file itself, names of no file, and names relative to nothing.
  const uint32_t c = add(&table, scratch_folder, "real/c.c");
  assert_int_equal(c, 2);
  assert_int_equal(add(&table, scratch_folder, "link/c.c"), 3);
  assert_int_equal(add(&table, scratch_folder, "real/none.c"), 4);
  assert_int_equal(add(&table, scratch_folder, "link/none.c"), 5);
  assert_int_equal(add(&table, NULL, "link/b.c"), 6);
  assert_int_equal(table.n_names, 7);
  assert_true(strstr(table.names[a], "/link/a.c"));
  // Names that were added, other than the first ones, in this order.
  assert_true(strstr(file_table_next_alias(&table, &i, &i_file), "/real/a.c"));
  assert_int_equal(i_file, a);
  assert_true(strstr(file_table_next_alias(&table, &i, &i_file), "/again/a.c"));
  assert_int_equal(i_file, a);
  assert_true(strstr(file_table_next_alias(&table, &i, &i_file), "/link/b.c"));
  assert_int_equal(i_file, b);
  assert_null(file_table_next_alias(&table, &i, &i_file));
  file_table_release(&table);
  // No file is accessed unless links are to be followed.
  (void)add(&plain, scratch_folder, "link/a.c");
  assert_int_equal(add(&plain, scratch_folder, "real/a.c"), 1);
  file_table_release(&plain);
}

/** A file of the project has its name there, by whichever links it was
 * compiled. */
static void test_links_to_the_root(void **state) {
  uint32_t i = 0, i_file;

  (void)state;
  assert_int_equal(mkdir("real", 0777), 0);
  assert_int_equal(mkdir("else", 0777), 0);
  assert_int_equal(symlink("real", "link"), 0);
  assert_int_equal(symlink("else", "away"), 0);
  for (const char *const *name =
           (const char *const[]){"real/a.c", "real/b.c", "else/c.c", NULL};
       *name; name++)
    close(open(*name, O_CREAT | O_WRONLY, 0666));
  char folder[PATH_MAX];
  snprintf(folder, sizeof(folder), "%s/real", scratch_folder);
  const struct source_root root = {.folder = folder};
  struct file_table table = {.follows_links = true, .root = &root};
  const uint32_t a = add(&table, scratch_folder, "link/a.c");
  const uint32_t b = add(&table, scratch_folder, "real/b.c");
  assert_int_equal(add(&table, scratch_folder, "real/a.c"), a);
  assert_int_equal(add(&table, scratch_folder, "link/a.c"), a);
  assert_int_equal(add(&table, scratch_folder, "link/b.c"), b);
  const uint32_t c = add(&table, scratch_folder, "away/c.c");
  assert_true(strstr(table.names[a], "/real/a.c"));
  assert_true(strstr(table.names[b], "/real/b.c"));
  assert_true(strstr(table.names[c], "/away/c.c"));
  assert_true(strstr(file_table_next_alias(&table, &i, &i_file), "/link/a.c"));
  assert_int_equal(i_file, a);
  file_table_release(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cleaned),
      cmocka_unit_test(test_same_file_same_number),
      cmocka_unit_test(test_many),
      cmocka_unit_test(test_absurdly_long_name),
      cmocka_unit_test_setup_teardown(test_links_of_folders, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test_setup_teardown(test_links_to_the_root, scratch_enter,
                                      scratch_leave),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
