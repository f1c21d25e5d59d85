/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Files that are written as a whole or not at all.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/out_file.h"

/* A folder of its own, with an older file in it. */
struct place {
  char folder[64];
  char path[128];
};

static void set_up(struct place *place) {
  strcpy(place->folder, "/tmp/arcline-out-file-XXXXXX");
  assert_non_null(mkdtemp(place->folder));
  snprintf(place->path, sizeof(place->path), "%s/result", place->folder);
  FILE *old = fopen(place->path, "w");
  assert_non_null(old);
  fputs("old", old);
  fclose(old);
}

static void tear_down(struct place *place) {
  unlink(place->path);
  // Fails if any other file is left.
  assert_int_equal(rmdir(place->folder), 0);
}

static void check_text(const char *path, const char *expected) {
  char text[16] = "";
  FILE *file = fopen(path, "r");

  assert_non_null(file);
  assert_true(fread(text, 1, sizeof(text) - 1, file) == strlen(expected));
  fclose(file);
  assert_string_equal(text, expected);
}

/* The reason is reported although the result of the failed write was not
   checked, and no bytes are left to be written. */
static void test_reason_of_earlier_write(void **state) {
  static const char block[1 << 16];
  struct out_file file;
  struct err err = {0};

  (void)state;
  assert_int_equal(out_file_open("/dev/full", &file, &err), 0);
  fwrite(block, 1, sizeof(block), file.stream);
  errno = 0;
  assert_int_equal(out_file_commit(&file, &err), -1);
  assert_string_equal(err.text,
                      "/dev/full: cannot write: No space left on device");
  out_file_release(&file);
}

static void test_committed_replaces(void **state) {
  struct place place;
  struct out_file file;
  struct err err = {0};

  (void)state;
  set_up(&place);
  assert_int_equal(out_file_open(place.path, &file, &err), 0);
  fputs("new", file.stream);
  check_text(place.path, "old");
  assert_int_equal(out_file_commit(&file, &err), 0);
  out_file_release(&file);
  check_text(place.path, "new");
  tear_down(&place);
}

static void test_not_committed_leaves_no_trace(void **state) {
  struct place place;
  struct out_file file;
  struct err err = {0};

  (void)state;
  set_up(&place);
  assert_int_equal(out_file_open(place.path, &file, &err), 0);
  fputs("new", file.stream);
  out_file_release(&file);
  check_text(place.path, "old");
  out_file_release(&file);
  tear_down(&place);
}

static void test_link_stays(void **state) {
  struct place place;
  struct out_file file;
  struct err err = {0};
  struct stat status;
  char link_path[128];

  (void)state;
  set_up(&place);
  snprintf(link_path, sizeof(link_path), "%s/link", place.folder);
  assert_int_equal(symlink("result", link_path), 0);
  assert_int_equal(out_file_open(link_path, &file, &err), 0);
  fputs("new", file.stream);
  assert_int_equal(out_file_commit(&file, &err), 0);
  out_file_release(&file);
  assert_int_equal(lstat(link_path, &status), 0);
  assert_true(S_ISLNK(status.st_mode));
  check_text(place.path, "new");
  unlink(link_path);
  tear_down(&place);
}

static void test_device_is_no_file(void **state) {
  struct out_file file;
  struct err err = {0};
  struct stat status;

  (void)state;
  assert_int_equal(out_file_open("/dev/null", &file, &err), 0);
  fputs("new", file.stream);
  assert_int_equal(out_file_commit(&file, &err), 0);
  out_file_release(&file);
  assert_int_equal(stat("/dev/null", &status), 0);
  assert_true(S_ISCHR(status.st_mode));

  assert_int_equal(out_file_open("/dev/full", &file, &err), 0);
  fputs("new", file.stream);
  assert_int_equal(out_file_commit(&file, &err), -1);
  assert_string_equal(err.text,
                      "/dev/full: cannot write: No space left on device");
  out_file_release(&file);
}

static void test_no_such_folder(void **state) {
  struct out_file file;
  struct err err = {0};

  (void)state;
  assert_int_equal(out_file_open("/no/such/folder/x", &file, &err), -1);
  assert_string_equal(
      err.text, "/no/such/folder/x: cannot write: No such file or directory");
  assert_null(file.stream);
}

static void test_standard_output(void **state) {
  struct out_file file;
  struct err err = {0};

  (void)state;
  assert_int_equal(out_file_open("-", &file, &err), 0);
  assert_ptr_equal(file.stream, stdout);
  assert_int_equal(out_file_commit(&file, &err), 0);
  out_file_release(&file);
  assert_int_equal(out_file_open(NULL, &file, &err), 0);
  assert_ptr_equal(file.stream, stdout);
  out_file_release(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_committed_replaces),
      cmocka_unit_test(test_reason_of_earlier_write),
      cmocka_unit_test(test_not_committed_leaves_no_trace),
      cmocka_unit_test(test_link_stays),
      cmocka_unit_test(test_device_is_no_file),
      cmocka_unit_test(test_no_such_folder),
      cmocka_unit_test(test_standard_output),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
