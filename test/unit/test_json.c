/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* JSON: commas, indentation, and texts of any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"

static char *text;
static size_t n_text;

static struct json begin(void) {
  struct json json = {.stream = open_memstream(&text, &n_text)};

  assert_non_null(json.stream);
  return json;
}

static void expect(struct json *json, const char *expected) {
  fclose(json->stream);
  assert_string_equal(text, expected);
  free(text);
}

static void members_and_elements_are_apart(void **state) {
  struct json json = begin();

  (void)state;
  json_object_begin(&json, NULL);
  json_integer(&json, "a", UINT64_MAX);
  json_array_begin(&json, "b");
  json_number(&json, NULL, 0.25);
  json_bool(&json, NULL, true);
  json_array_begin(&json, NULL);
  json_array_end(&json);
  json_array_end(&json);
  json_text(&json, "c", "");
  json_object_end(&json);
  expect(&json, "{\n \"a\": 18446744073709551615,\n \"b\": [\n  0.250000,\n"
                "  true,\n  []\n ],\n \"c\": \"\"\n}\n");
}

static void inner_arrays_are_flat(void **state) {
  struct json json = begin();

  (void)state;
  json.is_flat = true;
  json_object_begin(&json, NULL);
  json_array_begin(&json, "a");
  json_integer(&json, NULL, 0);
  json_array_begin(&json, NULL);
  json_integer(&json, NULL, 1234567890);
  json_array_end(&json);
  json_array_end(&json);
  json_array_begin(&json, "b");
  json_array_end(&json);
  json_object_end(&json);
  expect(&json, "{\n \"a\": [0,[1234567890]],\n \"b\": []\n}\n");
}

static void expect_text(const char *bytes, const char *expected) {
  struct json json = begin();

  json_text(&json, NULL, bytes);
  expect(&json, expected);
}

static void texts_are_valid(void **state) {
  (void)state;
  expect_text("a\"b\\c/", "\"a\\\"b\\\\c/\"");
  expect_text("\n\x1f\x7f", "\"\\u000a\\u001f\x7f\"");
  expect_text("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
              "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
  // Cut off, alone, overlong, a half of a pair, beyond U+10FFFF.
  expect_text("\xe2\x82", "\"\\ufffd\\ufffd\"");
  expect_text("\x80z\xff", "\"\\ufffdz\\ufffd\"");
  expect_text("\xc0\x80", "\"\\ufffd\\ufffd\"");
  expect_text("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
  expect_text("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_and_elements_are_apart),
      cmocka_unit_test(inner_arrays_are_flat),
      cmocka_unit_test(texts_are_valid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
