/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/source_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check_text(const char *linkage_name, const char *what,
                       const char *text, const char *expected) {
  text = text ? text : "none";
  expected = expected ? expected : "none";
  if (strcmp(text, expected) != 0)
    fail_msg("%s: %s %s, not %s", linkage_name, what, text, expected);
}

static void check(const char *linkage_name, const char *text,
                  const char *arguments) {
  struct source_name name;

  assert_int_equal(source_name_parse(linkage_name, &name), 0);
  check_text(linkage_name, "text", name.text, text);
  check_text(linkage_name, "arguments", name.arguments, arguments);
  source_name_release(&name);
}

static void test_plain(void **state) {
  (void)state;
  check("main", NULL, NULL);
  check("_Z2idi", "id(int)", NULL);
  check("_ZN6ColourC1Ei", "Colour::Colour(int)", NULL);
  check("_ZN6ColourC2Ei", "Colour::Colour(int)", NULL);
  check("_ZN1SgtEi", "S::operator>(int)", NULL);
  check("_ZNK1SclEi", "S::operator()(int) const", NULL);
  check("_Z2idi.constprop.0", "id(int)", NULL);
}

static void test_templates(void **state) {
  (void)state;
  check("_Z5twiceIiET_S0_", "twice", "<int>");
  check("_Z4packIJilEEDcDpT_", "pack", "<int, long>");
  check("_Z2fpIZ4mainE3$_1XadL_Z2idiEEEiT_", "fp", "<main::$_1, &(id(int))>");
  check("_ZN1VIiEC2Ei", "V::V", "<int>");
  check("_ZNKR1VIiE1gEi", "V::g const &", "<int>");
  check("_ZN1VIiEcviEv", "V::operator", "<int> int");
  check("_ZN1VIiElsIlEERS0_T_", "V::operator<<", "<int><long>");
  check("_ZN1VIiEltIiEEbT_", "V::operator<", "<int><int>");
  check("_ZN1VIiEptEv", "V::operator->", "<int>");
  check("_ZN1VIiEclIlEEDaT_", "V::operator()", "<int><long>");
  check("_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector::push_back",
        "<int, std::allocator<int> >");
}

static void test_lambdas(void **state) {
  (void)state;
  check("_ZZ4mainENK3$_0clIilEEDaT_T0_", "main::$_0::operator() const",
        "<int, long>");
  check("_ZZN1VIiEclIlEEDaT_ENKUliiE_clEii",
        "V::operator()::{lambda#1}::operator() const", "<int><long>");
}

static void test_other_languages(void **state) {
  (void)state;
  check("_ZN1r6shapes4area17h0123456789abcdefE", "r::shapes::area", NULL);
  check("_QMshapesParea", "shapes::area", NULL);
}

static void test_variants(void **state) {
  (void)state;
  assert_true(source_name_are_variants("_ZN6ColourC1Ei", "_ZN6ColourC2Ei"));
  assert_true(source_name_are_variants("_ZN6ColourD0Ev", "_ZN6ColourD2Ev"));
  assert_true(source_name_are_variants("_ZN1VIiEC1Ei", "_ZN1VIiEC2Ei"));
  assert_false(source_name_are_variants("_ZN6ColourC1Ei", "_ZN6ColourC1Ei"));
  assert_false(source_name_are_variants("_ZN6ColourC1Ei", "_ZN6ColourC2El"));
  assert_false(source_name_are_variants("_ZN6ColourC1Ei", "_ZN6ColourD1Ev"));
  // Functions of such names.
  assert_false(source_name_are_variants("_Z2C1v", "_Z2C2v"));
  assert_false(source_name_are_variants("C1", "C2"));
  assert_false(source_name_are_variants("", "main"));
}

static void test_made(void **state) {
  static const char *const made[] = {"_ZThn16_N4Both1gEv",
                                     "_ZTv0_n24_N5ShapeD1Ev",
                                     "_ZTcv0_n24_v0_n24_N1B1cEv",
                                     "_ZTW2tl",
                                     "_ZTH2tl",
                                     "_GLOBAL__sub_I_a.cpp",
                                     "__cxx_global_var_init.3",
                                     "__tls_init",
                                     "__clang_call_terminate",
                                     "_Z3ompi.omp_outlined",
                                     ".omp_task_entry.",
                                     "main._omp_fn.0",
                                     "_Z4countv.resume",
                                     "_Z4countv.destroy"};
  static const char *const others[] = {
      "main",   "_Z5clampi",          "_ZN1A7__startEv",
      "resume", "_Z2idi.constprop.0", ""};
  (void)state;
  for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
    if (!source_name_is_made(made[i]))
      fail_msg("%s: taken for a function of the source", made[i]);
  for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
    if (source_name_is_made(others[i]))
      fail_msg("%s: taken for the compiler's", others[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain),           cmocka_unit_test(test_templates),
      cmocka_unit_test(test_lambdas),         cmocka_unit_test(test_variants),
      cmocka_unit_test(test_other_languages), cmocka_unit_test(test_made),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
