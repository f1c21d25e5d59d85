/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of functions as users write them. */
#include "debug/wanted_func.h"

#include "base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool fits(const char *text, const char *linkage_name) {
  struct wanted_func wanted;

  assert_int_equal(wanted_func_parse(text, &wanted), 0);
  const bool is_match = wanted_func_fits(&wanted, linkage_name);
  wanted_func_release(&wanted);
  return is_match;
}

/** Check names of a function: those that match, and those that do not. Both
 * lists end in NULL. */
static void check(const char *linkage_name, const char *const *right,
                  const char *const *wrong) {
  for (; *right; right++)
    if (!fits(*right, linkage_name))
      fail_msg("%s is not %s", *right, linkage_name);
  for (; *wrong; wrong++)
    if (fits(*wrong, linkage_name))
      fail_msg("%s is %s", *wrong, linkage_name);
}

#define CHECK(linkage_name, right, ...)                                        \
  check(linkage_name, (const char *const[]){REMOVE_PARENS right, NULL},        \
        (const char *const[]){__VA_ARGS__, NULL})
#define REMOVE_PARENS(...) __VA_ARGS__

static void scopes(void **state) {
  (void)state;
  // ns::Parser::parse(int)
  CHECK("_ZN2ns6Parser5parseEi",
        ("parse", "Parser::parse", "ns::Parser::parse", "::ns::Parser::parse",
         "parse(int)", "Parser::parse(int)", "Parser::parse( int )",
         "ns::Parser::parse(const int)", "_ZN2ns6Parser5parseEi"),
        "pars", "arse", "::parse", "::Parser::parse", "s::Parser::parse",
        "Parser", "parse()", "parse(long)", "parse(int) const", "Lexer::parse",
        "ns::parse", "");
  // ns::(anonymous namespace)::local(char const* const*, unsigned int, node*)
  CHECK("_ZN2ns12_GLOBAL__N_15localEPKPKcjP4node",
        ("local", "ns::local", "ns::(anonymous namespace)::local",
         "(anonymous namespace)::local",
         "local(const char *const *, unsigned, struct node *)",
         "ns::local(char const * const *,uint32_t,node*)"),
        "::local", "local(char **, unsigned, node *)");
  CHECK("parse", ("parse", "::parse", "parse()", "parse(int)"), "Parser::parse",
        "parse2", "arse");
}

static void types(void **state) {
  (void)state;
  // ns::Parser::parse(std::__cxx11::basic_string<...> const&) const
  CHECK("_ZNK2ns6Parser5parseERKNSt7__cxx1112basic_stringIcSt11char_"
        "traitsIcESaIcEEE",
        ("Parser::parse", "Parser::parse(const std::string &)",
         "parse(std::string const&) const", "parse(const string&)"),
        "parse(std::string)", "parse(const std::string &) &");
  // parse(unsigned long, int, std::unique_ptr<node, std::default_delete<node>
  // >, void (*)(int))
  CHECK("_Z5parsemiSt10unique_ptrI4nodeSt14default_deleteIS0_EEPFviE",
        ("parse(size_t, const int, std::unique_ptr<node>, void (*)(int))",
         "parse(std::size_t,int,unique_ptr<struct node>,void(*)(int))"),
        "parse(int, int, std::unique_ptr<node>, void (*)(int))");
  CHECK("_Z6noargsv", ("noargs()", "noargs(void)", "noargs"), "noargs(int)");
}

static void templates_and_operators(void **state) {
  (void)state;
  // int ns::Parser::get<int>(int)
  CHECK("_ZN2ns6Parser3getIiEET_S2_",
        ("get", "Parser::get", "Parser::get<int>", "get<int>(int)", "get(int)",
         "int ns::Parser::get<int>(int)"),
        "get<long>", "int");
  // Box<long>::put(long const&, unsigned long)
  CHECK("_ZN3BoxIlE3putERKlm",
        ("Box::put", "Box<long>::put", "put(const long &, size_t)",
         "Box<long int>::put(long const&,unsigned long)"),
        "Box<int>::put", "Box", "put<long>");
  // ns::Parser::operator...
  CHECK("_ZN2ns6ParserixEm", ("operator[]", "Parser::operator[](size_t)"),
        "operator()");
  CHECK("_ZNK2ns6ParserclEi",
        ("operator()", "Parser::operator()(int) const",
         "Parser::operator()(int)"),
        "operator", "Parser", "operator()()");
  CHECK("_ZNK2ns6ParserltERKS0_",
        ("operator<", "operator <(const Parser &)",
         "operator<(ns::Parser const&)"),
        "operator<<", "operator<(const Lexer &)");
  CHECK("_ZNK2ns6ParsercvbEv", ("operator bool", "Parser::operator bool()"),
        "bool", "operator int");
  CHECK("_ZN2ns6ParserC1Ei", ("Parser::Parser", "Parser", "Parser(int)"),
        "Parser::~Parser");
  CHECK("_ZN2ns6ParserD2Ev", ("~Parser", "ns::Parser::~Parser()"), "Parser");
  // Lambdas in a function are not the function.
  CHECK("_ZZ6noargsvENK3$_0clEi", ("operator()"), "noargs", "noargs()");
}

static void patterns(void **state) {
  (void)state;
  CHECK("_ZN2ns6Parser5parseEi",
        ("*", "Parser::*", "ns::*", "pars?", "parse(*)", "*::parse", "*Parser*",
         "_ZN2ns*", "ns::P*::parse(int)", "[op]arse"),
        "Lexer::*", "arse*", "::Parser::*", "::p*");
  CHECK("_ZN3BoxIlE3putERKlm", ("Box::*", "Box<*>::put", "put(*long)"),
        "Box<int>::*");
}

static void other_languages_and_copies(void **state) {
  (void)state;
  CHECK("_QMshapesParea", ("area", "shapes::area", "shapes::*"), "shape");
  CHECK("_QQmain", ("main program"), "main");
  CHECK("_RNvNtCs4fqI2P2rA04_1r6shapes4area",
        ("area", "shapes::area", "r::shapes::area"), "s::area");
  CHECK("parse.constprop.0.isra.0", ("parse", "parse.constprop.0.isra.0"),
        "parse.constprop");
  CHECK("parse.llvm.1234", ("parse"), "llvm");
  CHECK("parse.part.0", ("parse.part.0"), "parse");
  CHECK("_ZN2ns6Parser5parseEi.isra.0", ("Parser::parse(int)"), "isra");
  CHECK("_ZN2ns6Parser5parseEi.cold", ("_ZN2ns6Parser5parseEi.cold"), "parse");
}

static void odd_text(void **state) {
  static const char *const texts[] = {"",
                                      "(",
                                      "<<<<",
                                      "))",
                                      ">(",
                                      "::",
                                      "::::",
                                      "const",
                                      "(const",
                                      "[",
                                      "{{}",
                                      "((((",
                                      ",",
                                      "(,)",
                                      "<,>",
                                      "a(b",
                                      "operator",
                                      "*",
                                      "a<(const>)",
                                      "unsigned(unsigned,unsigned)",
                                      "(anonymous namespace)"};

  (void)state;
  for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
    for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++) {
      // Whatever the result is, no byte outside of the text is read.
      fits(texts[i], texts[k]);
      if (*texts[i])
        assert_true(fits(texts[i], texts[i]));
    }
}

static const char *const functions[] = {
    "_ZN2ns6Parser5parseEi",
    "_ZN2ns6Parser5parseEl",
    "_ZN2ns6Parser4peekEv",
    "_ZN2ns5Lexer4nextEv",
    "main",
    "read_file",
};

static void check_hints(const char *text, const char *expected) {
  struct wanted_hints hints = {0};
  struct wanted_func wanted;
  char found[200];

  assert_int_equal(wanted_func_parse(text, &wanted), 0);
  for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
    wanted_hints_offer(&hints, &wanted, functions[i]);
  wanted_hints_write(&hints, found, sizeof(found));
  assert_string_equal(found, expected);
  wanted_hints_release(&hints);
  wanted_func_release(&wanted);
}

static void hints(void **state) {
  (void)state;
  check_hints("parse(char)", "; did you mean ns::Parser::parse(int) or "
                             "ns::Parser::parse(long)?");
  check_hints("Lexer::parse", "; did you mean ns::Parser::parse?");
  check_hints("Parser::prase", "; did you mean ns::Parser::parse?");
  check_hints("raed_file", "; did you mean read_file?");
  check_hints("Main", "; did you mean main?");
  check_hints("something_else", "");
  check_hints("par*", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scopes),
      cmocka_unit_test(types),
      cmocka_unit_test(templates_and_operators),
      cmocka_unit_test(patterns),
      cmocka_unit_test(other_languages_and_copies),
      cmocka_unit_test(odd_text),
      cmocka_unit_test(hints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
