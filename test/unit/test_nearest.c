/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What may have been meant by a word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/nearest.h"

static const char *meant(const char *word) {
  static const char *const known[] = {"annotate", "gprof", "dump", "diff",
                                      "merge",    "ctl",   ""};
  struct nearest nearest = {.word = word, .n_word = strlen(word)};

  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
    nearest_offer(&nearest, known[i]);
  return nearest.best ? nearest.best : "-";
}

static void slips_are_forgiven(void **state) {
  (void)state;
  assert_string_equal(meant("anotate"), "annotate");
  assert_string_equal(meant("annnotate"), "annotate");
  assert_string_equal(meant("annotade"), "annotate");
  assert_string_equal(meant("gporf"), "gprof"); // two swapped: one slip
  assert_string_equal(meant("dif"), "diff");
  assert_string_equal(meant("ctrl"), "ctl");
}

static void strangers_are_not(void **state) {
  (void)state;
  assert_string_equal(meant("frobnicate"), "-");
  assert_string_equal(meant("x"), "-");
  assert_string_equal(meant(""), "-");
  assert_string_equal(meant("mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"),
                      "-");
}

static void the_word_need_not_end(void **state) {
  struct nearest nearest = {.word = "colur=never", .n_word = 5};

  (void)state;
  nearest_offer(&nearest, "color");
  assert_string_equal(nearest.best, "color");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slips_are_forgiven),
      cmocka_unit_test(strangers_are_not),
      cmocka_unit_test(the_word_need_not_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
