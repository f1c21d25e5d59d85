/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The word that a misspelt one may mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/did_you_mean.h"

static const char *meant(const char *word) {
  static const char *const known[] = {"annotate", "gprof", "dump", "diff",
                                      "merge",    "ctl",   ""};
  struct did_you_mean nearest = {.word = word, .n_word = strlen(word)};

  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
    did_you_mean_offer(&nearest, known[i]);
  return nearest.best ? nearest.best : "-";
}

static void slips_are_forgiven(void **state) {
  (void)state;
  assert_string_equal(meant("anotate"), "annotate");
  assert_string_equal(meant("annnotate"), "annotate");
  assert_string_equal(meant("annotade"), "annotate");
  assert_string_equal(meant("gporf"), "gprof"); // two swapped: one error
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

/** Errors between the two, -1 if they are too many. */
static int slips(const char *word, const char *candidate) {
  struct did_you_mean nearest = {.word = word, .n_word = strlen(word)};

  did_you_mean_offer(&nearest, candidate);
  return nearest.best ? (int)nearest.n_slips : -1;
}

static void each_kind_of_slip_counts_once(void **state) {
  (void)state;
  assert_int_equal(slips("gprof", "gprof"), 0);
  assert_int_equal(slips("gprog", "gprof"), 1);
  assert_int_equal(slips("notate", "annotate"), 2);
  assert_int_equal(slips("annota", "annotate"), 2);
  assert_int_equal(slips("unannotate", "annotate"), 2);
  assert_int_equal(slips("annotateit", "annotate"), 2);
}

static void swapped_letters_are_one_slip(void **state) {
  (void)state;
  assert_int_equal(slips("tcl", "ctl"), 1);
  assert_int_equal(slips("clt", "ctl"), 1);
  assert_int_equal(slips("badcfeg", "abcdefg"), 3);
  // Only one of the two, or not adjacent.
  assert_int_equal(slips("pxrof", "gprof"), 2);
  assert_int_equal(slips("xgrof", "gprof"), 2);
  assert_int_equal(slips("rpgof", "gprof"), 2);
  assert_int_equal(slips("gprxo", "gprof"), 2);
  assert_int_equal(slips("gprfx", "gprof"), 2);
  assert_int_equal(slips(&"udumb"[1], "dump"), 1); // the u is not of the word
}

static void a_third_of_the_letters_may_be_wrong(void **state) {
  (void)state;
  assert_int_equal(slips("gxxof", "gprof"), 2);
  assert_int_equal(slips("gxxxf", "gprof"), -1);
  assert_int_equal(slips("xtl", "ctl"), 1);
  assert_int_equal(slips("xxl", "ctl"), -1);
  assert_int_equal(slips("x", "y"), -1);
}

static void long_words_are_left_alone(void **state) {
  static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456";

  (void)state;
  assert_int_equal(slips(word + 1, word + 1), 0);
  assert_int_equal(slips(word, word), -1);
  assert_int_equal(slips(word, word + 1), -1);
  assert_int_equal(slips(word + 1, word), -1);
}

static void the_first_of_the_nearest_is_meant(void **state) {
  struct did_you_mean nearest = {.word = "dumb", .n_word = 4};

  (void)state;
  did_you_mean_offer(&nearest, "dots");
  assert_null(nearest.best);
  did_you_mean_offer(&nearest, "dusk");
  assert_string_equal(nearest.best, "dusk");
  did_you_mean_offer(&nearest, "dump");
  assert_string_equal(nearest.best, "dump");
  did_you_mean_offer(&nearest, "dumm");
  assert_string_equal(nearest.best, "dump");
  did_you_mean_offer(&nearest, "dust");
  assert_string_equal(nearest.best, "dump");
}

static void the_word_need_not_end(void **state) {
  struct did_you_mean nearest = {.word = "colur=never", .n_word = 5};

  (void)state;
  did_you_mean_offer(&nearest, "color");
  assert_string_equal(nearest.best, "color");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slips_are_forgiven),
      cmocka_unit_test(strangers_are_not),
      cmocka_unit_test(each_kind_of_slip_counts_once),
      cmocka_unit_test(swapped_letters_are_one_slip),
      cmocka_unit_test(a_third_of_the_letters_may_be_wrong),
      cmocka_unit_test(long_words_are_left_alone),
      cmocka_unit_test(the_first_of_the_nearest_is_meant),
      cmocka_unit_test(the_word_need_not_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
