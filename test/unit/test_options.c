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

enum { OPT_FLAT = 1, OPT_FILE, OPT_FORMAT, OPT_BRIEF };

static const struct option_spec specs[] = {
    {OPT_FLAT, 'p', "flat-profile", OPTION_OPTIONAL_ARGUMENT, "SPEC", "flat"},
    {OPT_FILE, 'I', "file", OPTION_ARGUMENT, "FILE", "a file"},
    {OPT_FORMAT, 0, "format", OPTION_ARGUMENT, NULL, NULL},
    {OPT_BRIEF, 'b', NULL, OPTION_NO_ARGUMENT, NULL, "brief"},
    {0},
};

/** Read a command line of words between blanks; write it down as
 * "id=value id=value | operands" or "! message". */
static const char *read_line(const char *line) {
  static char out[ERR_TEXT_BYTES + 256];
  static char words[256];
  char *argv[16] = {"command"};
  int argc = 1;
  struct err err = {0};
  struct options_reader *reader;
  const char *value;
  int id;

  snprintf(words, sizeof(words), "%s", line);
  for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
    argv[argc++] = word;
  out[0] = '\0';
  assert_int_equal(options_begin(specs, argc, argv, &reader, &err), 0);
  while ((id = options_next(reader, &value, &err)) > 0)
    sprintf(out + strlen(out), "%d=%s ", id, value ? value : "");
  strcat(out, "|");
  for (int i = options_first_operand(reader); i < argc && id == 0; i++)
    sprintf(out + strlen(out), " %s", argv[i]);
  options_end(reader);
  if (id < 0)
    snprintf(out, sizeof(out), "! %s", err.text);
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
                      "! -I: this option needs an argument; try --help");
  assert_string_equal(read_line("--file"),
                      "! --file: this option needs an argument; try --help");
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
      cmocka_unit_test(numbers_are_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
