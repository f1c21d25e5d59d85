/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Profiles that are opened for an image: matching ones, and messages for those
   of another image. */
#include "base/err.h"
#include "image/image.h"
#include "made_gmon.h"
#include "made_image.h"
#include "measure/gmon_open.h"

static struct image image;
static struct gmon_file file;
static struct gmon_reader reader;
static struct err err;

static int begin(void **state) {
  err = (struct err){0};
  if (scratch_enter(state))
    return -1;
  made_image("prog", "\x12\x34\x56\x78\x9a\xbc\xde\xf0rest", 12, NULL, 0);
  return image_open("prog", &image, &err);
}

static int end(void **state) {
  gmon_file_release(&file);
  image_close(&image);
  return scratch_leave(state);
}

static int open_as(const struct builder *builder, enum gmon_format format,
                   bool is_forced) {
  write_bytes("gmon.out", builder->bytes, builder->n_bytes);
  return gmon_open(&image, "gmon.out", format, is_forced, &file, &reader, &err);
}

/** Open a profile, which succeeds with the warnings given. */
static void expect_opened(const struct builder *builder, bool is_forced,
                          const char *warnings) {
  warnings_begin();
  const int rc = open_as(builder, GMON_FORMAT_AUTO, is_forced);
  expect_warnings(warnings);
  assert_int_equal(rc, 0);
}

static void own_profile_is_read_from_its_first_record(void **state) {
  struct builder builder = made_gmon("\x12\x34\x56\x78\x9a\xbc\xde\xf0");
  struct gmon_record record;

  (void)state;
  made_arc(&builder, 0x1004, 0x1000, 7);
  expect_opened(&builder, false, "");
  assert_true(reader.has_mark);
  assert_int_equal(gmon_reader_next(&reader, &record, &err), 1);
  assert_int_equal(record.arc.count, 7);
  assert_int_equal(gmon_reader_next(&reader, &record, &err), 0);
}

static void profile_of_another_image_is_refused(void **state) {
  const struct builder builder = made_gmon("\x12\x34\x56\x78\x9a\xbc\xde\xff");

  (void)state;
  assert_int_equal(open_as(&builder, GMON_FORMAT_AUTO, false), -1);
  assert_int_equal(err.code, ERR_INPUT);
  assert_string_equal(
      err.text,
      "gmon.out: build ID 123456789abcdeff... differs from that of image "
      "prog, 123456789abcdef0...; name the image that ran, or use --force");
  assert_null(file.bytes);
}

static void force_takes_it(void **state) {
  struct builder builder = made_gmon("another!");

  (void)state;
  // There is no message even if all of it is outside.
  made_arc(&builder, 0x9004, 0x9000, 7);
  expect_opened(&builder, true, "");
  gmon_file_release(&file);
  builder = made_gmon(NULL);
  made_arc(&builder, 0x9004, 0x9000, 7);
  expect_opened(&builder, true, "");
}

static void short_and_missing_build_ids_are_filled_up(void **state) {
  const struct builder builder = made_gmon("\x12\x34\0\0\0\0\0\0");
  const struct builder none = made_gmon("\0\0\0\0\0\0\0\0");

  (void)state;
  assert_int_equal(open_as(&none, GMON_FORMAT_AUTO, false), -1);
  image_close(&image);
  made_image("prog", "\x12\x34", 2, NULL, 0);
  assert_int_equal(image_open("prog", &image, &err), 0);
  expect_opened(&builder, false, "");
  gmon_file_release(&file);
  image_close(&image);
  made_image("prog", NULL, 0, NULL, 0);
  assert_int_equal(image_open("prog", &image, &err), 0);
  expect_opened(&none, false, "");
  gmon_file_release(&file);
  assert_int_equal(open_as(&builder, GMON_FORMAT_AUTO, false), -1);
}

static void numbers_are_as_in_the_image(void **state) {
  const struct image other = {.path = "other",
                              .class_bits = 32,
                              .is_big_endian = true,
                              .build_id = "12345678"};
  struct builder builder = {.layout = {32, true}};
  struct gmon_record record;

  (void)state;
  assert_int_equal(gmon_layout_of(&image).class_bits, 64);
  assert_int_equal(gmon_layout_of(&image).is_big_endian,
                   native_layout.is_big_endian);
  put_text(&builder, "gmon\0\0\0\1ARC112345678", GMON_HEADER_BYTES);
  made_arc(&builder, 0x01020304, 0x05060708, 0x090a0b0c);
  write_bytes("gmon.out", builder.bytes, builder.n_bytes);
  assert_int_equal(gmon_open(&other, "gmon.out", GMON_FORMAT_AUTO, false, &file,
                             &reader, &err),
                   0);
  assert_int_equal(gmon_reader_next(&reader, &record, &err), 1);
  assert_int_equal(record.arc.from_pc, 0x01020304);
  assert_int_equal(record.arc.count, 0x090a0b0c);
}

static void what_cannot_be_read_leaves_nothing(void **state) {
  const struct builder builder = made_gmon(NULL);
  struct builder future = builder;

  (void)state;
  assert_int_equal(
      gmon_open(&image, "none", GMON_FORMAT_AUTO, true, &file, &reader, &err),
      -1);
  assert_string_equal(err.text, "none: cannot open: No such file or directory");
  assert_null(file.bytes);
  memset(&future.bytes[GMON_MAGIC_BYTES], 2, 4);
  assert_int_equal(open_as(&future, GMON_FORMAT_AUTO, true), -1);
  assert_non_null(
      strstr(err.text, "gmon.out: unknown version 33686018 at offset 4"));
  assert_null(file.bytes);
  // A requested format must match.
  assert_int_equal(open_as(&builder, GMON_FORMAT_BSD44, true), -1);
  assert_non_null(strstr(err.text, "not a gmon file of 4.4BSD"));
  assert_null(file.bytes);
}

static void unmarked_profile_that_fits_is_taken_in_silence(void **state) {
  static const uint16_t bins[] = {9, 9};
  struct builder builder = made_gmon(NULL);

  (void)state;
  made_histogram(&builder, MADE_TEXT_LOW, MADE_TEXT_HIGH, bins, 2);
  made_arc(&builder, 0x1004, 0x1000, 1);
  expect_opened(&builder, false, "");
  gmon_file_release(&file);
  builder = made_gmon(NULL);
  expect_opened(&builder, false, "");
}

static void samples_where_no_code_is_are_warned_of(void **state) {
  static const uint16_t bins[] = {94, 6};
  static const uint16_t fewer[] = {95, 5};
  struct builder builder = made_gmon(NULL);

  (void)state;
  made_histogram(&builder, MADE_TEXT_LOW, 0x3000, bins, 2);
  expect_opened(&builder, false,
                "arcline: warning: gmon.out: 6 of 100 samples are outside of "
                "the code of prog; is this the profile of another program?\n");
  gmon_file_release(&file);
  builder = made_gmon(NULL);
  made_histogram(&builder, MADE_TEXT_LOW, 0x3000, fewer, 2);
  expect_opened(&builder, false, "");
}

/** Those of a histogram within the code count, too. */
static void samples_of_all_histograms_are_compared(void **state) {
  static const uint16_t near_bins[] = {100};
  static const uint16_t far_bins[] = {4};
  struct builder builder = made_gmon(NULL);

  (void)state;
  made_histogram(&builder, MADE_TEXT_LOW, MADE_TEXT_HIGH, near_bins, 1);
  made_histogram(&builder, 0x5000, 0x6000, far_bins, 1);
  expect_opened(&builder, false, "");
  gmon_file_release(&file);
  made_histogram(&builder, 0x7000, 0x8000, far_bins, 1);
  expect_opened(&builder, false,
                "arcline: warning: gmon.out: 8 of 108 samples are outside of "
                "the code of prog; is this the profile of another program?\n");
}

static void callees_where_no_code_is_are_warned_of(void **state) {
  struct builder builder = made_gmon(NULL);

  (void)state;
  // Callers may be anywhere; of callees, half may be.
  made_arc(&builder, 0x9004, MADE_TEXT_HIGH - 1, 1);
  made_arc(&builder, 0x1004, MADE_TEXT_HIGH, 1000);
  expect_opened(&builder, false, "");
  gmon_file_release(&file);
  made_arc(&builder, 0x1004, MADE_TEXT_LOW - 1, 1);
  expect_opened(&builder, false,
                "arcline: warning: gmon.out: 2 of 3 callees are outside of the "
                "code of prog; is this the profile of another program?\n");
}

/** An object file, which has no addresses yet, gives no message. */
static void images_without_segments_fit_all_profiles(void **state) {
  struct builder builder = made_gmon(NULL);

  (void)state;
  made_arc(&builder, 0x1004, 0x9000, 1);
  image_close(&image);
  FILE *const elf = fopen("prog", "r+b");
  assert_non_null(elf);
  assert_int_equal(fseek(elf, offsetof(Elf64_Ehdr, e_phnum), SEEK_SET), 0);
  assert_int_equal(fwrite("\0\0", 1, 2, elf), 2);
  assert_int_equal(fclose(elf), 0);
  assert_int_equal(image_open("prog", &image, &err), 0);
  expect_opened(&builder, false, "");
}

/** A damaged record is reported by the reader of the records. */
static void damage_is_looked_at_up_to_where_it_is(void **state) {
  struct builder builder = made_gmon(NULL);

  (void)state;
  made_arc(&builder, 0x1004, 0x9000, 1);
  put(&builder, 77, 1);
  expect_opened(&builder, false,
                "arcline: warning: gmon.out: 1 of 1 callees are outside of the "
                "code of prog; is this the profile of another program?\n");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(own_profile_is_read_from_its_first_record),
      TEST(profile_of_another_image_is_refused),
      TEST(force_takes_it),
      TEST(short_and_missing_build_ids_are_filled_up),
      TEST(numbers_are_as_in_the_image),
      TEST(what_cannot_be_read_leaves_nothing),
      TEST(unmarked_profile_that_fits_is_taken_in_silence),
      TEST(samples_where_no_code_is_are_warned_of),
      TEST(samples_of_all_histograms_are_compared),
      TEST(callees_where_no_code_is_are_warned_of),
      TEST(images_without_segments_fit_all_profiles),
      TEST(damage_is_looked_at_up_to_where_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
