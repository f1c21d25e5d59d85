/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Archives: files are found under their names, whatever these are; damage has
   an offset, and names never lead out. */
#include <errno.h>
#include <sys/stat.h>

#include "base/archive.h"
#include "base/err.h"
#include "base/file_walk.h"
#include "base/gzip_stream.h"
#include "base/in_file.h"
#include "base/tar_format.h"
#include "base/tar_write.h"
#include "scratch.h"

#define INDEX "arcline-archive 1\nfolder /home/me\noperand a%20b\n"

static struct archive archive;
static struct err err;
static FILE *tar;

static int begin(void **state) {
  err = (struct err){0};
  archive = (struct archive){.operands = {0}};
  if (scratch_enter(state))
    return -1;
  tar = fopen("x.arcz", "wb");
  return tar ? 0 : -1;
}

static int end(void **state) {
  archive_close(&archive);
  in_file_use(NULL);
  return scratch_leave(state);
}

static void add(const char *name, const void *bytes, size_t n_bytes) {
  tar_write_file(tar, name, n_bytes, 77);
  fwrite(bytes, 1, n_bytes, tar);
  tar_write_end(tar, n_bytes);
}

static void add_text(const char *name, const char *text) {
  add(name, text, strlen(text));
}

/** End the file and open it. */
static int open_it(void) {
  tar_write_finish(tar);
  assert_int_equal(fclose(tar), 0);
  return archive_open("x.arcz", &archive, &err);
}

static void expect_error(const char *text) {
  assert_int_equal(open_it(), -1);
  assert_string_equal(err.text, text);
}

/** Compare the text of a file in use. */
static void expect_text(const char *name, const char *text) {
  char bytes[256] = "";
  struct stat status;
  const int fd = in_file_open(name, IN_FILE_REGULAR, &status);
  assert_true(fd >= 0);
  assert_int_equal(status.st_size, strlen(text));
  assert_int_equal(in_file_read(fd, bytes, sizeof(bytes) - 1), strlen(text));
  assert_string_equal(bytes, text);
  close(fd);
}

static void files_have_the_names_that_they_had(void **state) {
  (void)state;
  add_text("arcline-archive", INDEX);
  add_text("files/home/me/a", "1");
  add_text("files/home/me/d/b", "22");
  add_text("files/home/me/d.x", "333");
  add_text("files/home/me/empty", "");
  add_text("files/usr/c", "4444");
  tar_write_link(tar, "files/home/me/l", "files/usr/c", 0);
  assert_int_equal(open_it(), 0);
  assert_int_equal(archive.operands.n, 1);
  assert_string_equal(archive.operands.list[0], "a b");
  in_file_use(&archive.files);
  expect_text("a", "1");
  expect_text("./d//b", "22");
  expect_text("../me/d.x", "333");
  expect_text("empty", "");
  expect_text("/usr/c", "4444");
  expect_text("l", "4444");
  char *const real = in_file_real("l"), *const folder = in_file_folder();
  assert_string_equal(real, "/usr/c");
  assert_string_equal(folder, "/home/me");
  free(real);
  free(folder);
}

static void what_is_missing_is_not_read_from_the_machine(void **state) {
  struct stat status;
  (void)state;
  write_text("here", "text");
  add_text("arcline-archive", INDEX);
  add_text("files/home/me/d/b", "22");
  assert_int_equal(open_it(), 0);
  in_file_use(&archive.files);
  assert_int_equal(in_file_open("here", IN_FILE_REGULAR, &status), -1);
  assert_int_equal(errno, ENOENT);
  assert_int_equal(in_file_open("d", IN_FILE_REGULAR, &status), -1);
  assert_int_equal(errno, EISDIR);
  assert_int_equal(in_file_access("d", R_OK), 0);
  assert_int_equal(in_file_access("here", R_OK), -1);
  // Sources may be there.
  for (int kind = IN_FILE_SOURCE; kind <= IN_FILE_OWN; kind++) {
    const int fd = in_file_open("here", (enum in_file_kind)kind, &status);
    assert_true(fd >= 0);
    close(fd);
  }
}

static void large_files_are_read_from_their_beginning_each_time(void **state) {
  enum { N = (3 << 20) + 5 };
  char *const bytes = calloc(N, 1), *const found = malloc(N);
  struct stat status;
  (void)state;
  memset(bytes + 100, 'x', 5000);
  memset(bytes + (2 << 20), 'y', 77777);
  bytes[N - 1] = 'z';
  add_text("arcline-archive", INDEX);
  add("files/home/me/a", bytes, N);
  add_text("files/home/me/b", "b");
  assert_int_equal(open_it(), 0);
  in_file_use(&archive.files);
  for (int i = 0; i < 2; i++) {
    const int fd = in_file_open("a", IN_FILE_REGULAR, &status);
    assert_true(fd >= 0);
    assert_int_equal(status.st_size, N);
    assert_int_equal(status.st_mtime, 77);
    assert_int_equal(in_file_read(fd, found, N), N);
    assert_memory_equal(found, bytes, N);
    close(fd);
  }
  expect_text("b", "b");
  free(bytes);
  free(found);
}

static void names_of_any_length_are_kept(void **state) {
  char name[700], target[700];
  (void)state;
  add_text("arcline-archive", INDEX);
  for (size_t n = 90; n < 600; n += 17) {
    snprintf(name, sizeof(name), "files/%0*d", (int)n, 7);
    add_text(name, "text");
  }
  strcpy(target, name);
  snprintf(name, sizeof(name), "files/link%0*d", 200, 7);
  tar_write_link(tar, name, target, 0);
  assert_int_equal(open_it(), 0);
  in_file_use(&archive.files);
  for (size_t n = 90; n < 600; n += 17) {
    snprintf(name, sizeof(name), "/%0*d", (int)n, 7);
    expect_text(name, "text");
  }
  snprintf(name, sizeof(name), "/link%0*d", 200, 7);
  expect_text(name, "text");
}

static void folders_are_walked_in_order_of_names(void **state) {
  static const char *const names[] = {"d/a/x", "d/a/y", "d/a-b", "d/c"};
  struct file_walk walk;
  struct file_walk_found found;
  (void)state;
  add_text("arcline-archive", INDEX);
  add_text("files/home/me/d/a-b", "");
  add_text("files/home/me/d/a/.hidden", "");
  add_text("files/home/me/d/a/x", "");
  add_text("files/home/me/d/a/y", "");
  add_text("files/home/me/d/c", "");
  add_text("files/home/me/dd", "");
  tar_write_link(tar, "files/home/me/d/a/z", "files/home/me/d/a/x", 0);
  assert_int_equal(open_it(), 0);
  in_file_use(&archive.files);
  assert_int_equal(file_walk_begin("d", &walk, &err), 0);
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    assert_int_equal(file_walk_next(&walk, &found, &err), 1);
    assert_string_equal(found.path, names[i]);
    assert_int_equal(found.error, 0);
  }
  assert_int_equal(file_walk_next(&walk, &found, &err), 0);
  file_walk_end(&walk);
  assert_int_equal(file_walk_begin("nosuch", &walk, &err), 0);
  assert_int_equal(file_walk_next(&walk, &found, &err), 1);
  assert_int_equal(found.error, ENOENT);
  file_walk_end(&walk);
}

static void names_that_lead_out_are_rejected(void **state) {
  static const char *const bad[] = {
      "files/../x", "files/a/../../x", "/etc/x",  "../x",     "files//x",
      "files/",     "files",           "other/x", "files/./x"};
  char expected[256];
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    add_text("arcline-archive", INDEX);
    add_text(bad[i], "text");
    snprintf(expected, sizeof(expected),
             "x.arcz: byte 1024: name leads out of the archive: %s", bad[i]);
    expect_error(expected);
    assert_int_equal(end(state), 0);
    assert_int_equal(begin(state), 0);
  }
  add_text("arcline-archive", INDEX);
  tar_write_link(tar, "files/x", "../x", 0);
  expect_error("x.arcz: byte 1024: name leads out of the archive: ../x");
}

static void names_are_unique_and_links_have_files(void **state) {
  add_text("arcline-archive", INDEX);
  add_text("files/x", "1");
  add_text("files/x", "2");
  expect_error("x.arcz: two files have the name /x");
  assert_int_equal(end(state), 0);
  assert_int_equal(begin(state), 0);
  add_text("arcline-archive", INDEX);
  tar_write_link(tar, "files/x", "files/y", 0);
  expect_error("x.arcz: /x is a name of /y, which is missing");
  assert_int_equal(end(state), 0);
  assert_int_equal(begin(state), 0);
  add_text("arcline-archive", INDEX);
  tar_write_link(tar, "files/x", "files/y", 0);
  tar_write_link(tar, "files/y", "files/x", 0);
  expect_error("x.arcz: /x is a name of /y, which is missing");
}

static void an_index_is_checked(void **state) {
  static const struct {
    const char *index, *expected;
  } bad[] = {
      {"arcline-archive 2\noperand x\n",
       "x.arcz: archive has version 2, supported is 1; use a newer arcline"},
      {"arcline-archive 1\n", "x.arcz: byte 0: index has no operand"},
      {"", "x.arcz: byte 0: index has no operand"},
      {"arcline-archive 1\noperand %zz\n",
       "x.arcz: line 2 of arcline-archive is damaged"},
      {"arcline-archive 1\noperand a%00b\n",
       "x.arcz: line 2 of arcline-archive is damaged"},
      {"arcline-archive 1\noperand\n",
       "x.arcz: line 2 of arcline-archive is damaged"},
      {"arcline-archive 1\nfolder x\n",
       "x.arcz: line 2 of arcline-archive has an unknown key"},
      {"arcline-archive 1\ncolour red\n",
       "x.arcz: line 2 of arcline-archive has an unknown key"},
  };
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    add_text("arcline-archive", bad[i].index);
    expect_error(bad[i].expected);
    assert_int_equal(end(state), 0);
    assert_int_equal(begin(state), 0);
  }
  fclose(tar);
}

static void foreign_and_damaged_files_are_rejected(void **state) {
  add_text("readme", "text");
  expect_error("x.arcz: byte 0: not an archive of arcline archive");
  assert_int_equal(end(state), 0);
  assert_int_equal(begin(state), 0);
  expect_error("x.arcz: byte 0: not an archive of arcline archive");
  assert_int_equal(end(state), 0);
  assert_int_equal(begin(state), 0);
  add_text("arcline-archive", INDEX);
  tar_write_file(tar, "files/x", UINT64_C(1) << 36, 0);
  expect_error("x.arcz: byte 2560: archive ends here; it was cut off");
  assert_int_equal(end(state), 0);
  assert_int_equal(begin(state), 0);
  add_text("arcline-archive", INDEX);
  fputs("not a header", tar);
  tar_write_end(tar, 12);
  expect_error("x.arcz: byte 1024: header is damaged");
}

static void add_extended(const char *records) {
  struct tar_header header = {.type = TAR_EXTENDED};
  memcpy(header.magic, TAR_MAGIC, sizeof(header.magic));
  snprintf(header.size, sizeof(header.size), "%011o",
           (unsigned)strlen(records));
  snprintf(header.mtime, sizeof(header.mtime), "%011o", 0U);
  snprintf(header.checksum, 8, "%06o", tar_checksum(&header));
  fwrite(&header, 1, sizeof(header), tar);
  fputs(records, tar);
  tar_write_end(tar, strlen(records));
}

static void extended_records_are_checked(void **state) {
  static const char *const bad[] = {
      "1\n",
      "9 path=x",
      "6 path\n",
      "0 path=x\n",
      "99 path=x\n",
      // The first number is outside of its record, which has 10 bytes.
      "         \n10 a=bcde\n",
  };
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
    add_text("arcline-archive", INDEX);
    add_extended(bad[i]);
    add_text("files/x", "1");
    expect_error("x.arcz: byte 2048: extended header is damaged");
    assert_int_equal(end(state), 0);
    assert_int_equal(begin(state), 0);
  }
  add_text("arcline-archive", INDEX);
  add_extended("10 a=bcde\n");
  add_text("files/x", "1");
  assert_int_equal(open_it(), 0);
}

static void compressed_archives_are_checked_to_the_end(void **state) {
  char bytes[4096];
  FILE *const file = tar;
  (void)state;
  tar = gzip_stream_open(file, &err);
  add_text("arcline-archive", INDEX);
  add_text("files/home/me/a", "1");
  assert_int_equal(open_it(), -1); // nothing is in the file yet
  assert_int_equal(fclose(file), 0);
  assert_int_equal(archive_open("x.arcz", &archive, &err), 0);
  archive_close(&archive);
  FILE *const packed = fopen("x.arcz", "rb");
  const size_t n = fread(bytes, 1, sizeof(bytes), packed);
  fclose(packed);
  write_bytes("cut", bytes, n - 3);
  assert_int_equal(archive_open("cut", &archive, &err), -1);
  assert_non_null(strstr(err.text, "cut: byte "));
  assert_non_null(strstr(err.text, ": archive ends here; it was cut off"));
  bytes[n - 6] ^= 1; // of the checksum
  write_bytes("bad", bytes, n);
  assert_int_equal(archive_open("bad", &archive, &err), -1);
  assert_non_null(strstr(err.text, ": archive is damaged"));
}

static void an_archive_that_exhausts_memory_is_rejected(void **state) {
  enum { N_PARTS = 96 };
  static char part[1 << 20];
  FILE *const file = tar;
  (void)state;
  memset(part, 'x', sizeof(part));
  tar = gzip_stream_open(file, &err);
  add_text("arcline-archive", INDEX);
  tar_write_file(tar, "files/zeros", UINT64_C(1) << 27, 0);
  for (size_t i = 0; i < (UINT64_C(1) << 27) / 4096; i++) {
    static const char zeros[4096];
    fwrite(zeros, 1, sizeof(zeros), tar);
  }
  tar_write_file(tar, "files/x", N_PARTS << 20, 0);
  for (int i = 0; i < N_PARTS; i++)
    fwrite(part, 1, sizeof(part), tar);
  tar_write_finish(tar);
  fclose(tar);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(archive_open("x.arcz", &archive, &err), -1);
  assert_string_equal(err.text, "x.arcz: byte 134219264: archive unpacks to "
                                "more than is plausible");
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)
      TEST(files_have_the_names_that_they_had),
      TEST(what_is_missing_is_not_read_from_the_machine),
      TEST(large_files_are_read_from_their_beginning_each_time),
      TEST(names_of_any_length_are_kept),
      TEST(folders_are_walked_in_order_of_names),
      TEST(names_that_lead_out_are_rejected),
      TEST(names_are_unique_and_links_have_files),
      TEST(an_index_is_checked),
      TEST(foreign_and_damaged_files_are_rejected),
      TEST(extended_records_are_checked),
      TEST(compressed_archives_are_checked_to_the_end),
      TEST(an_archive_that_exhausts_memory_is_rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
