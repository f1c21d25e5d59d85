/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of side files: each row fits its sum, and a row that is added to
   the table is read, printed, and added up by all users of side files. */
#define SIDE_FORM_MORE                                                         \
  {"made-up",                                                                  \
   "old-one",                                                                  \
   SIDE_N_KINDS,                                                               \
   SIDE_SUM_LINES,                                                             \
   {{'o', "object"},                                                           \
    {'x', "at"},                                                               \
    {'s', "why"},                                                              \
    {'v', "some"},                                                             \
    {'v', "more"}}},
// Linked in place of the library's.
#include "write/side_form.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "gmon/gmon_file.h"
#include "gmon/side_read.h"
#include "memory_sink.h"
#include "merge/merge.h"
#include "report/dump_side.h"
#include "scratch.h"
#include "sum/side_sum.h"

#define HEAD                                                                   \
  "arcline-side 1\nprocess 1 prog\nclock seconds 100\n"                        \
  "object 0 01 0x0 f /p\n"

static const char first[] = HEAD "object 1 02 0x0 - /lib\n"
                                 "made-up 1 0x20 a%20b 1 10\n"
                                 "made-up 0 0x20 a%20b 2 20 later\n"
                                 "end\n";
static const char second[] = HEAD "object 1 - 0x0 - /other\n"
                                  "object 2 02 0x0 - /lib\n"
                                  "old-one 2 0x20 a%20b 4 40\n"
                                  "old-one 2 0x20 c 8 80\n"
                                  "end\n";
static const char sum[] =
    "arcline-side 1\nprocess 0 prog\nprocesses 2\nclock seconds 100\n"
    "object 0 01 0x0 f /p\nobject 1 - 0x0 - /other\nobject 2 02 0x0 - /lib\n"
    "made-up 0 0x20 a%20b 2 20\n"
    "made-up 2 0x20 a%20b 5 50\n"
    "made-up 2 0x20 c 8 80\n"
    "end\n";

static void expect_text(const char *path, const char *text) {
  static char bytes[4096];
  FILE *const file = fopen(path, "r");

  assert_non_null(file);
  bytes[fread(bytes, 1, sizeof(bytes) - 1, file)] = '\0';
  fclose(file);
  assert_string_equal(bytes, text);
}

static void *allocate(size_t n_bytes) { return malloc(n_bytes); }

static void deallocate(void *memory, size_t n_bytes) {
  (void)n_bytes;
  free(memory);
}

static struct gmon_file file_of(const char *text) {
  return (struct gmon_file){
      .path = "x", .bytes = (uint8_t *)text, .n_bytes = strlen(text)};
}

/* A process does so for a file with %m in its name. */
static void new_record_is_in_pools(void **state) {
  const struct sum_side_options options = {.memory = {allocate, deallocate}};
  const struct sum_file files[2] = {
      {.bytes = (const uint8_t *)first, .n_bytes = strlen(first)},
      {.bytes = (const uint8_t *)second, .n_bytes = strlen(second)}};
  static struct memory_sink memory;
  struct sum_flaw flaw;

  (void)state;
  memory_sink_init(&memory);
  assert_int_equal(sum_side(files, &options, &memory.sink, &flaw), 0);
  memory_sink_flush(&memory.sink);
  assert_int_equal(memory.n_bytes, strlen(sum));
  assert_memory_equal(memory.bytes, sum, memory.n_bytes);
  free(memory.bytes);
}

static void new_record_is_merged(void **state) {
  struct merge merge = {0};
  struct err err;

  (void)state;
  write_text("1.arcline", first);
  write_text("2.arcline", second);
  assert_int_equal(merge_add(&merge, "1.arcline", &err), 0);
  assert_int_equal(merge_add(&merge, "2.arcline", &err), 0);
  assert_int_equal(merge_choose(&merge, &err), 0);
  assert_int_equal(merge_write(&merge, "f", &err), 0);
  merge_release(&merge);
  expect_text("f.arcline", sum);
}

static void new_record_is_printed(void **state) {
  const struct gmon_file file = file_of(first);
  struct err err;
  FILE *const out = fopen("dump", "w");

  (void)state;
  assert_non_null(out);
  assert_int_equal(dump_side(&file, out, &err), 0);
  fclose(out);
  expect_text("dump", "side version=1\nprocess pid=1 name=prog\n"
                      "clock dimension=seconds rate=100\n"
                      "object n=0 build-id=01 bias=0x0 file=f path=/p\n"
                      "object n=1 build-id=02 bias=0x0 file=- path=/lib\n"
                      "made-up object=1 at=0x20 why=a%20b some=1 more=10\n"
                      "made-up object=0 at=0x20 why=a%20b some=2 more=20\n"
                      "end\n");
}

static void what_is_cut_off_is_an_error(void **state) {
  struct gmon_file file = file_of(first);
  struct err err = {0};
  FILE *const out = fopen("dump", "w");

  (void)state;
  assert_non_null(out);
  file.n_bytes -= strlen("end\n");
  assert_int_equal(dump_side(&file, out, &err), -1);
  assert_int_equal(err.code, ERR_INPUT);
  fclose(out);
}

static void new_record_is_read(void **state) {
  const struct gmon_file file = file_of(first);
  struct side_reader reader;
  struct side_record record;
  struct err err;
  uint64_t total = 0;

  (void)state;
  side_reader_begin(&reader, &file, &err);
  while (side_reader_next(&reader, &record))
    if (record.form->kind == SIDE_N_KINDS) {
      assert_string_equal(record.name, "a b");
      assert_int_equal(record.values.numbers[1], 0x20);
      total += record.values.numbers[2] + record.values.numbers[3];
    }
  assert_int_equal(side_reader_end(&reader), 0);
  assert_int_equal(total, 33);
}

static void new_record_is_checked(void **state) {
  const struct gmon_file file = file_of(HEAD "made-up 1 0x0 a 1 1\nend\n");
  struct side_reader reader;
  struct side_record record;
  struct err err;

  (void)state;
  side_reader_begin(&reader, &file, &err);
  while (side_reader_next(&reader, &record))
    continue;
  assert_int_equal(side_reader_end(&reader), -1);
  assert_string_equal(err.text, "x:5: object is not listed above");
}

/** Fields of a row whose type is one of these. */
static size_t n_of(const struct side_form *form, const char *types) {
  size_t n = 0;

  for (const struct side_field *field = form->fields; field->type; field++)
    n += strchr(types, field->type) != NULL;
  return n;
}

/* A word is in one row only; types are valid; records that are added up by
   their row alone have no more names than that supports, and no frames. */
static void rows_fit(void **state) {
  int n = 0;

  (void)state;
  for (const struct side_form *form = side_forms; form->word[0]; form++, n++) {
    const struct side_word word = {form->word, strlen(form->word)};
    assert_ptr_equal(side_form_find(word), form);
    const struct side_word former = {form->former_word,
                                     strlen(form->former_word)};
    assert_ptr_equal(side_form_find(former), former.n ? form : NULL);
    assert_int_equal(form->kind, n);
    assert_int_equal(form->fields[SIDE_MAX_FIELDS].type, 0);
    for (const struct side_field *it = form->fields; it->type; it++) {
      assert_non_null(strchr("dvxhslbongfcwp", it->type));
      // A period is checked with the width before it.
      assert_true(it->type != 'p' || (it > form->fields && it[-1].type == 'w'));
    }
    assert_true(n_of(form, "slb") <= SIDE_MAX_WORDS);
    if (form->sum == SIDE_SUM_LINES) {
      assert_true(n_of(form, "slb") <= 1);
      assert_int_equal(n_of(form, "ngfc"), 0);
    }
  }
  assert_int_equal(n, SIDE_N_KINDS + 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_fit),
      cmocka_unit_test(new_record_is_read),
      cmocka_unit_test(new_record_is_checked),
      cmocka_unit_test(new_record_is_in_pools),
      cmocka_unit_test_setup_teardown(new_record_is_merged, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test_setup_teardown(new_record_is_printed, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test_setup_teardown(what_is_cut_off_is_an_error,
                                      scratch_enter, scratch_leave),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
