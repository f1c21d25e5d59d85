/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/digits.h"

#include "base/row.h"

#include <math.h>

enum { MAX_COLUMNS = 26 }; // 20 digits, 6 commas

/** Write a number to the end of a text. Returns where it begins. */
static size_t put_digits(uint64_t number, char *text) {
  size_t at = MAX_COLUMNS;
  unsigned n_digits = 0;
  do {
    if (n_digits > 0 && n_digits % 3 == 0)
      text[--at] = ',';
    text[--at] = (char)('0' + number % 10);
    number /= 10;
    n_digits++;
  } while (number > 0);
  return at;
}

size_t digits_columns(uint64_t number) {
  char text[MAX_COLUMNS];
  return MAX_COLUMNS - put_digits(number, text);
}

void digits_add(struct row *row, uint64_t number, size_t width) {
  char text[MAX_COLUMNS];
  const size_t at = put_digits(number, text);
  const size_t n = MAX_COLUMNS - at;
  if (n < width)
    row_add_blanks(row, width - n);
  row_add(row, text + at, n);
}

double percent_of(size_t part, size_t whole, int n_decimals) {
  const double step = pow(10, -n_decimals);
  const double percent = whole > 0 ? 100 * (double)part / (double)whole : 0;

  return part < whole && percent > 100 - step ? 100 - step : percent;
}
