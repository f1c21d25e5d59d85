/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Folders of profiles: the files that are used, their order, and messages if
   there is none. */
#include <sys/stat.h>

#include "base/err.h"
#include "image/image.h"
#include "image/image_index.h"
#include "made_gmon.h"
#include "model/folder.h"
#include "scratch.h"

#define SIDE "arcline-side 1\nend\n"

static const struct image image = {
    .path = "prog", .build_id = "12345678rest", .n_build_id = 12};
static struct folder_files files;
static struct err err;

static int begin(void **state) {
  err = (struct err){0};
  files = (struct folder_files){NULL, 1, 1}; // is overwritten
  return scratch_enter(state) || mkdir("d", 0700);
}

static int end(void **state) {
  folder_files_release(&files);
  return scratch_leave(state);
}

/** Write a profile without records. */
static void write_gmon(const char *path, const char *id) {
  const struct builder builder = made_gmon(id);

  write_bytes(path, builder.bytes, builder.n_bytes);
}

static void expect_paths(const char *const *paths) {
  size_t n = 0;

  for (; paths[n]; n++) {
    assert_true(n < files.n_paths);
    assert_string_equal(files.paths[n], paths[n]);
  }
  assert_int_equal(files.n_paths, n);
}

#define EXPECT(...) expect_paths((const char *const[]){__VA_ARGS__, NULL})

static void profiles_of_the_image_are_taken_by_name(void **state) {
  (void)state;
  write_gmon("d/b.2", "12345678");
  write_gmon("d/c", "12345678");
  write_gmon("d/b.10", "12345678");
  write_gmon("d/a", "12345678");
  assert_int_equal(folder_find_profiles("d", &image, &files, &err), 0);
  EXPECT("d/a", "d/b.10", "d/b.2", "d/c");
}

static void profiles_that_do_not_tell_are_taken_too(void **state) {
  (void)state;
  write_gmon("d/a", NULL);
  write_gmon("d/b", "12345679");
  write_gmon("d/c", "12345678");
  assert_int_equal(folder_find_profiles("d", &image, &files, &err), 0);
  EXPECT("d/a", "d/c");
}

static void images_without_build_id_have_profiles_without(void **state) {
  const struct image other = {.path = "other"};

  (void)state;
  write_gmon("d/a", "\0\0\0\0\0\0\0\0");
  write_gmon("d/b", "12345678");
  assert_int_equal(folder_find_profiles("d", &other, &files, &err), 0);
  EXPECT("d/a");
}

static void all_else_is_passed_over(void **state) {
  static const char short_header[GMON_HEADER_BYTES - 1] = "gmon\1";

  (void)state;
  write_gmon("d/a", "12345678");
  write_gmon("d/.hidden", "12345678");
  write_gmon("d/.gmon.out.tmp", "12345678");
  write_text("d/empty", "");
  write_text("d/text", "as long as the header of a profile");
  write_bytes("d/short", short_header, sizeof(short_header));
  write_text("d/side", SIDE);
  assert_int_equal(symlink("nowhere", "d/dangling"), 0);
  assert_int_equal(folder_find_profiles("d", &image, &files, &err), 0);
  EXPECT("d/a");
}

static void folders_in_it_are_looked_at_too(void **state) {
  (void)state;
  assert_int_equal(mkdir("d/sub", 0700), 0);
  assert_int_equal(mkdir("d/sub/.hidden", 0700), 0);
  assert_int_equal(symlink("..", "d/sub/back"), 0);
  write_gmon("d/a", "12345678");
  write_gmon("d/z", "12345678");
  write_gmon("d/sub/b", "12345678");
  write_gmon("d/sub/.hidden/c", "12345678");
  write_text("d/sub/b.arcline", SIDE);
  assert_int_equal(folder_find_profiles("d", &image, &files, &err), 0);
  EXPECT("d/a", "d/sub/b", "d/z");
  folder_files_release(&files);
  EXPECT(NULL);
  assert_null(files.paths);
  assert_int_equal(folder_find_sides("d", &files, &err), 0);
  EXPECT("d/sub/b.arcline");
}

static void file_with_several_names_is_taken_once(void **state) {
  (void)state;
  write_gmon("d/b", "12345678");
  assert_int_equal(symlink("b", "d/latest"), 0);
  assert_int_equal(link("d/b", "d/a"), 0);
  assert_int_equal(folder_find_profiles("d", &image, &files, &err), 0);
  EXPECT("d/a");
}

/** Opening does not wait for a writer, and does not consume data. */
static void pipes_are_left_alone(void **state) {
  const struct builder builder = made_gmon("12345678");
  char bytes[GMON_HEADER_BYTES];

  (void)state;
  write_gmon("d/a", "12345678");
  assert_int_equal(mkfifo("d/nobody", 0600), 0);
  assert_int_equal(mkfifo("d/pipe", 0600), 0);
  const int fd = open("d/pipe", O_RDWR | O_NONBLOCK);
  assert_int_equal(write(fd, builder.bytes, sizeof(bytes)), sizeof(bytes));
  assert_int_equal(folder_find_profiles("d", &image, &files, &err), 0);
  EXPECT("d/a");
  assert_int_equal(read(fd, bytes, sizeof(bytes)), sizeof(bytes));
  close(fd);
}

static void links_are_followed(void **state) {
  (void)state;
  write_gmon("gmon.out", "12345678");
  assert_int_equal(symlink("../gmon.out", "d/link"), 0);
  assert_int_equal(symlink("d", "other"), 0);
  assert_int_equal(folder_find_profiles("other", &image, &files, &err), 0);
  EXPECT("other/link");
}

/** Only one is left out, with a warning. */
static void folders_that_cannot_be_read_are_left_out(void **state) {
  const uid_t user = geteuid();

  (void)state;
  write_gmon("d/a", "12345678");
  write_gmon("d/z", "12345678");
  assert_int_equal(mkdir("d/closed", 0), 0);
  assert_int_equal(chmod(".", 0711) || chmod("d", 0755), 0);
  warnings_begin();
  // Root may read everything.
  assert_int_equal(user == 0 ? seteuid(65534) : 0, 0);
  const int rc = folder_find_profiles("d", &image, &files, &err);
  assert_int_equal(seteuid(user), 0);
  assert_int_equal(chmod("d/closed", 0700), 0);
  expect_warnings(
      "arcline: warning: d/closed: cannot read: Permission denied; skipped\n");
  assert_int_equal(rc, 0);
  EXPECT("d/a", "d/z");
}

static int count_image(void *context, const struct image *found,
                       struct err *unused) {
  (void)found;
  (void)unused;
  ++*(size_t *)context;
  return 0;
}

/** Its programs would be missing in coverage without a word. */
static void images_in_folders_that_cannot_be_read_are_left_out(void **state) {
  const uid_t user = geteuid();
  size_t n = 0;

  (void)state;
  files = (struct folder_files){0};
  assert_int_equal(mkdir("d/closed", 0), 0);
  assert_int_equal(chmod(".", 0711) || chmod("d", 0755), 0);
  warnings_begin();
  assert_int_equal(user == 0 ? seteuid(65534) : 0, 0);
  const int rc = image_index_each("d", count_image, &n, &err);
  assert_int_equal(seteuid(user), 0);
  assert_int_equal(chmod("d/closed", 0700), 0);
  expect_warnings(
      "arcline: warning: d/closed: cannot read: Permission denied; skipped\n");
  assert_int_equal(rc, 0);
  assert_int_equal(n, 0);
}

static void slash_at_the_end_is_not_doubled(void **state) {
  (void)state;
  write_gmon("d/a", "12345678");
  assert_int_equal(folder_find_profiles("d/", &image, &files, &err), 0);
  EXPECT("d/a");
}

static void more_than_fits_at_first_is_sorted(void **state) {
  char path[16];

  (void)state;
  for (int i = 0; i < 200; i++) {
    snprintf(path, sizeof(path), "d/%03d", i * 77 % 200);
    write_gmon(path, "12345678");
  }
  assert_int_equal(folder_find_profiles("d", &image, &files, &err), 0);
  assert_int_equal(files.n_paths, 200);
  for (int i = 0; i < 200; i++) {
    snprintf(path, sizeof(path), "d/%03d", i);
    assert_string_equal(files.paths[i], path);
  }
}

static void profiles_of_others_are_counted(void **state) {
  (void)state;
  write_gmon("d/a", "other by");
  write_gmon("d/b", "others b");
  write_text("d/side", SIDE);
  assert_int_equal(folder_find_profiles("d", &image, &files, &err), -1);
  assert_int_equal(err.code, ERR_INPUT);
  assert_string_equal(err.text, "d: folder contains no profile of "
                                "prog; profiles of other images: 2");
  assert_int_equal(files.n_paths, 0);
  assert_null(files.paths);
}

static void folder_without_profiles_is_an_error(void **state) {
  (void)state;
  assert_int_equal(folder_find_profiles("d", &image, &files, &err), -1);
  assert_string_equal(err.text, "d: folder contains no profile of "
                                "prog; profiles of other images: 0");
  assert_int_equal(folder_find_sides("d", &files, &err), 0);
  EXPECT(NULL);
}

static void what_is_no_folder_is_an_error(void **state) {
  (void)state;
  write_gmon("file", "12345678");
  assert_int_equal(folder_find_profiles("none", &image, &files, &err), -1);
  assert_int_equal(err.code, ERR_INPUT);
  assert_string_equal(err.text,
                      "none: cannot read folder: No such file or directory");
  assert_int_equal(folder_find_sides("file", &files, &err), -1);
  assert_int_equal(err.code, ERR_INPUT);
  assert_string_equal(err.text, "file: cannot read folder: Not a directory");
}

static void side_files_are_taken_of_whatever_version(void **state) {
  (void)state;
  write_gmon("d/gmon.out", "12345678");
  write_text("d/gmon.out.arcline", SIDE);
  write_text("d/by another name", "arcline-side 2\n");
  write_text("d/none", "arcline-side");
  assert_int_equal(folder_find_sides("d", &files, &err), 0);
  EXPECT("d/by another name", "d/gmon.out.arcline");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(profiles_of_the_image_are_taken_by_name),
      TEST(profiles_that_do_not_tell_are_taken_too),
      TEST(images_without_build_id_have_profiles_without),
      TEST(all_else_is_passed_over),
      TEST(folders_in_it_are_looked_at_too),
      TEST(file_with_several_names_is_taken_once),
      TEST(pipes_are_left_alone),
      TEST(links_are_followed),
      TEST(folders_that_cannot_be_read_are_left_out),
      TEST(images_in_folders_that_cannot_be_read_are_left_out),
      TEST(slash_at_the_end_is_not_doubled),
      TEST(more_than_fits_at_first_is_sorted),
      TEST(profiles_of_others_are_counted),
      TEST(folder_without_profiles_is_an_error),
      TEST(what_is_no_folder_is_an_error),
      TEST(side_files_are_taken_of_whatever_version),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
