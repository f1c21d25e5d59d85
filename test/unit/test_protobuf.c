/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Protocol buffers: the bytes of fields, and messages within messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/protobuf.h"

static void expect(struct protobuf *message, const char *bytes, size_t n) {
  assert_false(message->is_failed);
  assert_int_equal(message->n_bytes, n);
  assert_memory_equal(message->bytes, bytes, n);
  protobuf_release(message);
}

#define EXPECT(message, literal) expect(message, literal, sizeof(literal) - 1)

static void numbers_are_as_short_as_they_can_be(void **state) {
  struct protobuf message = {0};

  (void)state;
  protobuf_number(&message, 1, 0); // absent
  protobuf_number(&message, 1, 127);
  protobuf_number(&message, 15, 150);
  protobuf_number(&message, 16, UINT64_MAX);
  EXPECT(&message, "\x08\x7f\x78\x96\x01\x80\x01"
                   "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

static void lists_of_numbers_are_packed(void **state) {
  const uint64_t numbers[] = {0, 1, 300};
  struct protobuf message = {0};

  (void)state;
  protobuf_numbers(&message, 2, numbers, 3);
  protobuf_numbers(&message, 2, numbers, 0);
  EXPECT(&message, "\x12\x04\x00\x01\xac\x02\x12\x00");
}

static void texts_are_utf_8(void **state) {
  struct protobuf message = {0};

  (void)state;
  protobuf_text(&message, 6, "");
  protobuf_text(&message, 6, "a\xff\xc3\xa4");
  EXPECT(&message, "\x32\x00\x32\x06"
                   "a\xef\xbf\xbd\xc3\xa4");
}

static void messages_nest(void **state) {
  struct protobuf outer = {0}, inner = {0};

  (void)state;
  for (int i = 0; i < 2; i++) {
    protobuf_number(&inner, 1, 5);
    protobuf_message(&outer, 4, &inner); // takes it and leaves it empty
  }
  protobuf_message(&outer, 4, &inner);
  protobuf_release(&inner);
  EXPECT(&outer, "\x22\x02\x08\x05\x22\x02\x08\x05\x22\x00");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_as_short_as_they_can_be),
      cmocka_unit_test(lists_of_numbers_are_packed),
      cmocka_unit_test(texts_are_utf_8),
      cmocka_unit_test(messages_nest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
