/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Command lines: abbreviations, attached arguments, operands in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/options.h"

enum { OPT_FLAT = 1, OPT_FILE, OPT_FORMAT, OPT_BRIEF, OPT_SORT };

static const struct option_spec specs[] = {
    {OPT_FLAT, 'p', "flat-profile", OPTION_OPTIONAL_ARGUMENT, "SPEC", "flat"},
    {OPT_FILE, 'I', "file", OPTION_ARGUMENT, "FILE", "a file"},
    {OPT_FORMAT, 0, "format", OPTION_ARGUMENT, NULL, NULL},
    {OPT_BRIEF, 'b', NULL, OPTION_NO_ARGUMENT, NULL, "brief"},
    {OPT_SORT, 0, "sort", OPTION_ARGUMENT, "time|name|calls", "an order"},
    {OPTIONS_VERSION, 'v', "version", OPTION_NO_ARGUMENT, NULL, "the version"},
    {0},
};

static int apply(void *context, int id, const char *value, struct err *err) {
  char *const out = context;

  if (value && strcmp(value, "bad") == 0)
    return err_set(err, ERR_USAGE, "bad");
  sprintf(out + strlen(out), "%d=%s ", id, value ? value : "");
  return 0;
}

/** Read a command line of words between blanks; write it down as
 * "id=value id=value | operands", "id=value ?" and the question, or
 * "! message". */
static const char *read_line(const char *line) {
  static char out[ERR_TEXT_BYTES + 256];
  static char words[256];
  char *argv[16] = {"command"};
  int argc = 1, first;
  struct err err = {0};

  snprintf(words, sizeof(words), "%s", line);
  for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
    argv[argc++] = word;
  out[0] = '\0';
  const int rc = options_parse(specs, argc, argv, apply, out, &first, &err);
  if (rc < 0) {
    snprintf(out, sizeof(out), "! %s", err.text);
    return out;
  }
  if (rc > 0) {
    strcat(out, rc == OPTIONS_HELP ? "? help" : "? version");
    return out;
  }
  strcat(out, "|");
  for (int i = first; i < argc; i++)
    sprintf(out + strlen(out), " %s", argv[i]);
  return out;
}

static void operands_may_stand_anywhere(void **state) {
  (void)state;
  assert_string_equal(read_line("a -b b -I c d"), "4= 2=c | a b d");
  assert_string_equal(read_line("-b -- -p"), "4= | -p");
}

static void optional_argument_must_be_attached(void **state) {
  (void)state;
  assert_string_equal(read_line("-pfoo"), "1=foo |");
  assert_string_equal(read_line("-p foo"), "1= | foo");
  assert_string_equal(read_line("--flat-profile=foo --flat-profile foo"),
                      "1=foo 1= | foo");
}

static void long_names_may_be_cut(void **state) {
  (void)state;
  assert_string_equal(read_line("--fl --fi=x"), "1= 2=x |");
  assert_string_equal(read_line("--f"),
                      "! --f: unknown or ambiguous option; try --help");
}

static void wrong_use_is_named(void **state) {
  (void)state;
  assert_string_equal(read_line("-b -y"),
                      "! -y: unknown or ambiguous option; try --help");
  assert_string_equal(read_line("--nonsense"),
                      "! --nonsense: unknown or ambiguous option; try --help");
  assert_string_equal(read_line("-I"),
                      "! -I: option requires an argument; try --help");
  assert_string_equal(read_line("--file"),
                      "! --file: option requires an argument; try --help");
}

static void values_are_those_of_the_table(void **state) {
  (void)state;
  assert_string_equal(read_line("--sort=name"), "5=name |");
  assert_string_equal(read_line("--sort=nam"),
                      "! --sort=nam: must be time, name or calls");
  assert_string_equal(read_line("--sort=time|name"),
                      "! --sort=time|name: must be time, name or calls");
  assert_string_equal(read_line("--sort="),
                      "! --sort=: must be time, name or calls");
}

static void what_an_option_is_for_may_fail(void **state) {
  (void)state;
  assert_string_equal(read_line("-b -I bad -y"), "! bad");
}

static void questions_end_reading(void **state) {
  (void)state;
  assert_string_equal(read_line("-b --help -y"), "4= ? help");
  assert_string_equal(read_line("-h"), "? help");
  assert_string_equal(read_line("-bv -h"), "4= ? version");
}

static void help_stands_behind_all_others(void **state) {
  (void)state;
  assert_ptr_equal(options_at(specs, 5), &specs[5]);
  assert_int_equal(options_at(specs, 6)->id, OPTIONS_HELP);
  assert_null(options_at(specs, 7));
  assert_null(options_at(specs, 8));
}

static void numbers_are_whole(void **state) {
  long number;

  (void)state;
  assert_true(options_parse_number("-12", &number));
  assert_int_equal(number, -12);
  assert_false(options_parse_number("", &number));
  assert_false(options_parse_number("12x", &number));
  assert_false(options_parse_number("99999999999999999999", &number));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operands_may_stand_anywhere),
      cmocka_unit_test(optional_argument_must_be_attached),
      cmocka_unit_test(long_names_may_be_cut),
      cmocka_unit_test(wrong_use_is_named),
      cmocka_unit_test(values_are_those_of_the_table),
      cmocka_unit_test(what_an_option_is_for_may_fail),
      cmocka_unit_test(questions_end_reading),
      cmocka_unit_test(help_stands_behind_all_others),
      cmocka_unit_test(numbers_are_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
