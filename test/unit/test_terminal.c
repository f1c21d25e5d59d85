/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hostile text in the form for a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/terminal.h"

#include <string.h>

static void assert_escaped(const char *text, const char *expected) {
  struct terminal_text state = {0};
  char out[512];
  size_t n = 0;

  for (; *text; text++) {
    assert_true(n + TERMINAL_MAX_ESCAPED < sizeof(out));
    n += terminal_escape(&state, (unsigned char)*text, out + n);
  }
  out[n] = '\0';
  assert_string_equal(out, expected);
}

static void test_plain_text_stays(void **state) {
  (void)state;
  assert_escaped("main\t1\n\f\nfoo<int>\n", "main\t1\n\f\nfoo<int>\n");
  assert_escaped("a\r\nb\r\n", "a\r\nb\r\n");
  // Latin, Chinese, an emoji; continuation bytes with the values of C1
  // controls.
  assert_escaped("\u00e9\u00c0 \u4e2d\u5b9b \U0001f600",
                 "\u00e9\u00c0 \u4e2d\u5b9b \U0001f600");
}

static void test_controls_are_shown(void **state) {
  (void)state;
  assert_escaped("\033[2Jx\a\b\177", "\\x1b[2Jx\\x07\\x08\\x7f");
  assert_escaped("over\rwritten\n", "over\\x0dwritten\n");
  assert_escaped("\r\r\033\n", "\\x0d\\x0d\\x1b\n");
  // The control sequence introducer of ISO 6429, raw, and in UTF-8.
  assert_escaped("\x9b"
                 "31m",
                 "\\x9b"
                 "31m");
  assert_escaped("\xc2\x9b"
                 "31m",
                 "\\x9b"
                 "31m");
  // Sequences that are cut short, or too long.
  assert_escaped("\xe4\x9b", "\xe4\x9b");
  assert_escaped("\xc3"
                 "a\x9b",
                 "\xc3"
                 "a\\x9b");
  assert_escaped("\xc3\xa9\x9b", "\xc3\xa9\\x9b");
  assert_escaped("\xc2\xc2\x9b", "\xc2\\x9b");
  assert_escaped("\xc2\r\nx", "\xc2\r\nx");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain_text_stays),
      cmocka_unit_test(test_controls_are_shown),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
