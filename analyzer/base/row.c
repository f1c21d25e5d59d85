/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/row.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// A double has up to 309 digits before its point.
enum { MAX_FIXED = 320, MAX_DIGITS = 20 };

void row_write(struct row *row) {
  fwrite_unlocked(row->bytes, 1, row->n_bytes, row->stream);
  row->n_bytes = 0;
}

void row_end(struct row *row) {
  ROW_ADD(row, "\n");
  row_write(row);
}

void row_add(struct row *row, const char *bytes, size_t n_bytes) {
  if (n_bytes > ROW_BYTES - row->n_bytes)
    row_write(row);
  if (n_bytes > ROW_BYTES) {
    fwrite_unlocked(bytes, 1, n_bytes, row->stream);
    return;
  }
  memcpy(row->bytes + row->n_bytes, bytes, n_bytes);
  row->n_bytes += n_bytes;
}

void row_add_blanks(struct row *row, size_t n) {
  while (n > 0) {
    if (row->n_bytes == ROW_BYTES)
      row_write(row);
    const size_t n_room = ROW_BYTES - row->n_bytes;
    const size_t n_now = n < n_room ? n : n_room;
    memset(row->bytes + row->n_bytes, ' ', n_now);
    row->n_bytes += n_now;
    n -= n_now;
  }
}

/** Write digits so that they end before `end`. Returns where they begin. */
static char *put_digits(uint64_t number, char *end) {
  do {
    *--end = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  return end;
}

static void add_right(struct row *row, const char *text, size_t length,
                      size_t width) {
  if (length < width)
    row_add_blanks(row, width - length);
  row_add(row, text, length);
}

void row_add_number(struct row *row, uint64_t number, size_t width) {
  char digits[MAX_DIGITS];
  char *const end = digits + sizeof(digits);
  const char *const begin = put_digits(number, end);

  add_right(row, begin, (size_t)(end - begin), width);
}

void row_add_number_left(struct row *row, uint64_t number, size_t width) {
  char digits[MAX_DIGITS];
  char *const end = digits + sizeof(digits);
  const char *const begin = put_digits(number, end);
  const size_t length = (size_t)(end - begin);

  row_add(row, begin, length);
  if (length < width)
    row_add_blanks(row, width - length);
}

/**
 * A number times 10 or 100, rounded as printf() rounds: to the nearest integer,
 * and from the middle to the even one. In integers, so that it is exact.
 *
 * Returns true; or false if the number is negative, huge, or none.
 */
static bool scale_exactly(double number, unsigned n_decimals, uint64_t *out) {
  enum { FRACTION_BITS = 52, EXPONENT_BIAS = 1075, MAX_SHIFT = 60 };
  uint64_t bits;

  if (signbit(number) || !(number < 1e15))
    return false;
  // number = mantissa / 2 to the power of shift
  memcpy(&bits, &number, sizeof(bits));
  const unsigned exponent = (unsigned)(bits >> FRACTION_BITS);
  const uint64_t fraction = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
  uint64_t mantissa =
      exponent ? fraction | (uint64_t)1 << FRACTION_BITS : fraction;
  const unsigned shift = EXPONENT_BIAS - (exponent ? exponent : 1);
  mantissa *= n_decimals == 1 ? 10 : 100;
  // Below 2 to the power of 60, and so less than half.
  if (shift > MAX_SHIFT) {
    *out = 0;
    return true;
  }
  const uint64_t unit = (uint64_t)1 << shift;
  const uint64_t rest = mantissa & (unit - 1);
  *out = mantissa >> shift;
  if (rest > unit / 2 || (rest == unit / 2 && (*out & 1)))
    ++*out;
  return true;
}

void row_add_fixed(struct row *row, double number, size_t width,
                   unsigned n_decimals) {
  char text[MAX_FIXED];
  char *const end = text + sizeof(text);
  uint64_t scaled;

  if (!scale_exactly(number, n_decimals, &scaled)) {
    const int length =
        snprintf(text, sizeof(text), "%.*f", (int)n_decimals, number);
    add_right(row, text, (size_t)length, width);
    return;
  }
  char *begin = end;
  for (unsigned i = 0; i < n_decimals; i++) {
    *--begin = (char)('0' + scaled % 10);
    scaled /= 10;
  }
  *--begin = '.';
  begin = put_digits(scaled, begin);
  add_right(row, begin, (size_t)(end - begin), width);
}
