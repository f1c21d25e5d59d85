/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The bounds-checked reader: byte orders, LEB128, ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/byte_reader.h"

static struct byte_reader read_from(const uint8_t *bytes, size_t n_bytes) {
  return (struct byte_reader){.at = bytes, .end = bytes + n_bytes};
}

static void both_byte_orders(void **state) {
  static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
  struct byte_reader reader = read_from(bytes, 8);

  (void)state;
  assert_true(byte_reader_uint(&reader, 8) == 0x0807060504030201);
  reader = read_from(bytes, 8);
  reader.is_big_endian = true;
  assert_int_equal(byte_reader_uint(&reader, 2), 0x0102);
  assert_int_equal(byte_reader_uint(&reader, 0), 0);
  assert_int_equal(byte_reader_uint(&reader, 4), 0x03040506);
  assert_false(reader.has_failed);
  assert_int_equal(byte_reader_left(&reader), 2);
}

static void failure_sticks(void **state) {
  static const uint8_t bytes[] = {1, 2, 3};
  struct byte_reader reader = read_from(bytes, 3);

  (void)state;
  assert_int_equal(byte_reader_uint(&reader, 4), 0);
  assert_true(reader.has_failed);
  assert_int_equal(byte_reader_uint(&reader, 1), 0);
  assert_false(byte_reader_skip(&reader, 0));
  reader = read_from(bytes, 3);
  assert_int_equal(byte_reader_uint(&reader, 9), 0);
  assert_true(reader.has_failed);
  reader = read_from(bytes, 3);
  assert_false(byte_reader_skip(&reader, UINT64_MAX));
}

static void leb_numbers(void **state) {
  static const uint8_t bytes[] = {
      0x7f, 0x80, 0x01, 0x7f, 0x80, 0x7f,
      // 2^64 - 1 in ten bytes, then one bit too many.
      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x81, 0x80,
      0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f, 0x80};
  struct byte_reader reader = read_from(bytes, sizeof(bytes));

  (void)state;
  assert_int_equal(byte_reader_leb(&reader, false), 127);
  assert_int_equal(byte_reader_leb(&reader, false), 128);
  assert_true(byte_reader_leb(&reader, true) == (uint64_t)-1);
  assert_true(byte_reader_leb(&reader, true) == (uint64_t)-128);
  assert_true(byte_reader_leb(&reader, false) == UINT64_MAX);
  assert_int_equal(byte_reader_leb(&reader, true), 1);
  assert_false(reader.has_failed);
  assert_int_equal(byte_reader_leb(&reader, false), 0);
  assert_true(reader.has_failed);
}

static void strings_end_inside(void **state) {
  static const uint8_t bytes[] = {'a', 'b', 0, 0, 'c'};
  struct byte_reader reader = read_from(bytes, sizeof(bytes));

  (void)state;
  assert_string_equal(byte_reader_string(&reader), "ab");
  assert_string_equal(byte_reader_string(&reader), "");
  assert_null(byte_reader_string(&reader));
  assert_true(reader.has_failed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_byte_orders),
      cmocka_unit_test(failure_sticks),
      cmocka_unit_test(leb_numbers),
      cmocka_unit_test(strings_end_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
