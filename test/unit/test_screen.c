/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts cut to the columns of a screen, and shortened names of C++. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/digits.h"
#include "base/row.h"
#include "base/screen.h"
#include "base/short_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct screen utf8 = {.is_utf8 = true};
static const struct screen ascii;

/** The bytes of a row, as a text. */
static const char *text_of(struct row *row) {
  static char text[256];

  memcpy(text, row->bytes, row->n_bytes);
  text[row->n_bytes] = '\0';
  return text;
}

static void assert_shown(const struct screen *screen, const char *text,
                         size_t max_columns, const char *expected) {
  struct row row;

  row_begin(&row, stdout);
  const size_t n = screen_add_text(screen, &row, text, max_columns);
  assert_string_equal(text_of(&row), expected);
  assert_int_equal(n, screen_columns(expected));
}

static void test_texts_lose_their_middle(void **state) {
  (void)state;
  assert_shown(&ascii, "abcdefghij", 0, "abcdefghij");
  assert_shown(&ascii, "abcdefghij", 10, "abcdefghij");
  assert_shown(&ascii, "abcdefghij", 9, "abc...hij");
  assert_shown(&ascii, "abcdefghij", 8, "ab...hij");
  assert_shown(&ascii, "abcdefghij", 3, "abc");
  assert_shown(&ascii, "abcdefghij", 1, "a");
  assert_shown(&utf8, "abcdefghij", 9, "abcd\u2026ghij");
  assert_shown(&utf8, "abcdefghij", 2, "\u2026j");
  assert_shown(&utf8, "\u00e4\u00f6\u00fc\u4e2d\U0001f600z", 5,
               "\u00e4\u00f6\u2026\U0001f600z");
  assert_shown(&utf8, "", 5, "");
}

static void test_controls_are_not_shown(void **state) {
  (void)state;
  assert_shown(&utf8, "a\033[2J\177b", 0, "a?[2J?b");
  assert_shown(&utf8,
               "\xc2\x9b"
               "31m",
               0, "?31m");
  assert_shown(&ascii, "f\u00fcr", 0, "f?r");
  // Bytes that are no letters.
  assert_shown(&utf8, "x\xff", 0, "x?");
}

static void test_lines_lose_their_end(void **state) {
  struct row row;

  (void)state;
  row_begin(&row, stdout);
  assert_int_equal(screen_add_line(&utf8, &row, "a\tb\u00fcc", 6, 10), 10);
  assert_string_equal(text_of(&row), "a       b\u00fc");
  row_begin(&row, stdout);
  assert_int_equal(screen_add_line(&utf8, &row, "\tb", 2, 7), 0);
}

static void test_numbers_in_groups(void **state) {
  static const struct {
    uint64_t number;
    const char *text;
  } numbers[] = {{0, "0"},
                 {999, "999"},
                 {1000, "1,000"},
                 {1234567, "1,234,567"},
                 {UINT64_MAX, "18,446,744,073,709,551,615"}};

  (void)state;
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    struct row row;
    row_begin(&row, stdout);
    digits_add(&row, numbers[i].number, 0);
    assert_string_equal(text_of(&row), numbers[i].text);
    assert_int_equal(digits_columns(numbers[i].number),
                     strlen(numbers[i].text));
  }
}

static void assert_shortened(const char *name, size_t max_columns,
                             const char *expected) {
  char *const got = short_name(name, max_columns, false);

  assert_string_equal(got ? got : name, expected);
  free(got);
}

static void test_names_of_cxx(void **state) {
  (void)state;
  assert_shortened("f(int)", 0, "f(int)");
  assert_shortened("f(int)", 6, "f(int)");
  assert_shortened("f(int)", 5, "f");
  assert_shortened("int f<int>(int)", 6, "f<int>");
  assert_shortened("int f<int>(int)", 5, "f<...>");
  assert_shortened("std::vector<int, std::allocator<int> >::push_back(int&&)",
                   30, "std::vector<...>::push_back");
  assert_shortened("a::operator()(int) const", 15, "a::operator()");
  assert_shortened("bool operator< <int>(v<int> const&, v<int> const&)", 16,
                   "operator< <int>");
  assert_shortened("s::operator<<(int)", 14, "s::operator<<");
  assert_shortened("s::operator->() const", 15, "s::operator->");
  assert_shortened("s::operator unsigned int() const", 24,
                   "s::operator unsigned int");
  assert_shortened("(anonymous namespace)::f(int)", 26,
                   "(anonymous namespace)::f");
  assert_shortened("main::{lambda(int)#1}::operator()(int) const", 36,
                   "main::{lambda(int)#1}::operator()");
  assert_shortened("f(int)::{lambda()#1}::operator()() const", 36,
                   "f(int)::{lambda()#1}::operator()");
  assert_shortened("a::b::c::f(int)", 10, "a::b::c::f");
  assert_shortened("a::b::c::f(int)", 9, "b::c::f");
  assert_shortened("a::b<int>::c::f(int)", 4, "c::f");
  assert_shortened("a::b::f", 3, "b::f");
  assert_shortened("a::(anonymous namespace)::f", 3, "f");
  assert_shortened("a::operator std::string()", 5, "a::operator std::string");
  // Names without parts to leave out, and those that are not of C++.
  assert_shortened("a_very_long_name_of_c", 5, "a_very_long_name_of_c");
  assert_shortened("<libc.so.6>", 5, "<...>");
  assert_shortened("(", 0, "(");
  assert_shortened("((((((", 2, "((((((");
  assert_shortened("a<b<c", 2, "a<...>");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_texts_lose_their_middle),
      cmocka_unit_test(test_controls_are_not_shown),
      cmocka_unit_test(test_lines_lose_their_end),
      cmocka_unit_test(test_numbers_in_groups),
      cmocka_unit_test(test_names_of_cxx),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
