/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows: equal to the output of printf(), to the last digit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"

static FILE *stream;
static char *text;
static size_t length;

static int open_stream(void **state) {
  (void)state;
  stream = open_memstream(&text, &length);
  return stream ? 0 : -1;
}

static int close_stream(void **state) {
  (void)state;
  fclose(stream);
  free(text);
  return 0;
}

/** Is this the output since the last call? */
static void expect(const char *expected) {
  fflush(stream);
  assert_string_equal(text, expected);
  rewind(stream);
}

static void compare_fixed(double number) {
  static const int widths[] = {0, 5, 7, 11};
  char expected[400];
  struct row row;

  for (size_t i = 0; i < 4; i++) {
    for (unsigned n_decimals = 1; n_decimals <= 2; n_decimals++) {
      snprintf(expected, sizeof(expected), "%*.*f", widths[i], (int)n_decimals,
               number);
      row_begin(&row, stream);
      row_add_fixed(&row, number, (size_t)widths[i], n_decimals);
      row_add(&row, "", 1);
      row_write(&row);
      expect(expected);
    }
  }
}

static void fixed_numbers_are_those_of_printf(void **state) {
  static const double numbers[] = {
      0,       -0.0,    0.005,  0.015,    0.025,   0.125,     0.375,
      0.05,    0.25,    0.75,   1.005,    2.5,     99.995,    99.985,
      100.15,  1e14,    1e15,   1e16,     1e22,    -1,        -0.004,
      DBL_MIN, DBL_MAX, 5e-324, 0.00499,  1 / 3.0, 0.995,     9.995,
      1e-17,   1e-18,   1e-19,  INFINITY, NAN,     -INFINITY,
  };

  (void)state;
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    compare_fixed(numbers[i]);
    compare_fixed(nextafter(numbers[i], INFINITY));
    compare_fixed(nextafter(numbers[i], 0));
  }
}

static void so_are_random_ones(void **state) {
  uint64_t bits = 1;

  (void)state;
  for (int i = 0; i < 20000; i++) {
    double number;
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    memcpy(&number, &bits, sizeof(number));
    compare_fixed(number);
    // Near values of reports, and exactly between two.
    compare_fixed((double)(bits >> 40) / 100);
    compare_fixed((double)(bits >> 44) / 8);
    compare_fixed((double)(bits >> 34) / 1024);
  }
}

static void numbers_are_filled_up(void **state) {
  struct row row;

  (void)state;
  row_begin(&row, stream);
  row_add_number(&row, 0, 0);
  row_add_number(&row, 42, 5);
  row_add_number(&row, UINT64_MAX, 7);
  ROW_ADD(&row, "/");
  row_add_number_left(&row, 7, 3);
  row_add_number_left(&row, UINT64_MAX, 7);
  row_add_blanks(&row, 2);
  ROW_ADD(&row, "\n");
  row_add(&row, "", 1);
  row_write(&row);
  expect("0   4218446744073709551615/7  18446744073709551615  \n");
}

static void long_rows_are_whole(void **state) {
  enum { LONG = 10000 };
  static char name[LONG];
  static char expected[2 * LONG + 64];
  struct row row;

  (void)state;
  memset(name, 'x', sizeof(name));
  row_begin(&row, stream);
  row_add_number(&row, 1, LONG);
  row_add(&row, name, sizeof(name));
  for (int i = 0; i < 10; i++)
    ROW_ADD(&row, "ab");
  ROW_ADD(&row, "\n");
  row_add(&row, "", 1);
  row_write(&row);
  snprintf(expected, sizeof(expected), "%*d%.*s%s\n", LONG, 1, LONG, name,
           "abababababababababab");
  expect(expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_numbers_are_those_of_printf),
      cmocka_unit_test(so_are_random_ones),
      cmocka_unit_test(numbers_are_filled_up),
      cmocka_unit_test(long_rows_are_whole),
  };
  return cmocka_run_group_tests(tests, open_stream, close_stream);
}
