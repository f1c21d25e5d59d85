/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/row.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

// A double has up to 309 digits before its point.
enum { MAX_FIXED = 320 };

// More than digits, or columns of a number, there usually are.
enum { DIGITS_BYTES = 32 };

void row_write(struct row *row) {
  fwrite_unlocked(row->bytes, 1, row->n_bytes, row->stream);
  row->n_bytes = 0;
}

void row_add_long(struct row *row, const char *bytes, size_t n_bytes) {
  row_write(row);
  if (n_bytes > ROW_BYTES)
    fwrite_unlocked(bytes, 1, n_bytes, row->stream);
  else
    row_add(row, bytes, n_bytes);
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

void row_add_text(struct row *row, const char *text) {
  row_add(row, text, strlen(text));
}

void row_add_right(struct row *row, const char *text, int width) {
  const size_t length = strlen(text);

  if (length < (size_t)width)
    row_add_blanks(row, (size_t)width - length);
  row_add(row, text, length);
}

void row_add_format(struct row *row, const char *format, ...) {
  char text[ROW_FORMAT_BYTES];
  va_list args;

  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  row_add_text(row, text);
}

// --- Numbers ---

/** A number being written from its end: blanks, then digits, up to `end`. */
struct digits {
  char text[2 * DIGITS_BYTES]; // what is behind the end may be copied, too
  char *at;
};

static inline char *digits_end(struct digits *digits) {
  return digits->text + DIGITS_BYTES;
}

static inline void digits_begin(struct digits *digits) {
  memset(digits->text, ' ', sizeof(digits->text));
  digits->at = digits_end(digits);
}

static inline void put_number(struct digits *digits, uint64_t number) {
  char *at = digits->at;

  do {
    *--at = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  digits->at = at;
}

static inline size_t digits_length(struct digits *digits) {
  return (size_t)(digits_end(digits) - digits->at);
}

/** Append digits, and blanks on their left up to a width. */
static inline void add_digits(struct row *row, struct digits *digits,
                              size_t width) {
  const size_t length = digits_length(digits);
  const size_t n_bytes = length < width ? width : length;

  if (n_bytes > DIGITS_BYTES || ROW_BYTES - row->n_bytes < DIGITS_BYTES) {
    if (n_bytes > length)
      row_add_blanks(row, n_bytes - length);
    row_add(row, digits->at, length);
    return;
  }
  // A size that is known is copied by a few instructions.
  memcpy(row->bytes + row->n_bytes, digits_end(digits) - n_bytes, DIGITS_BYTES);
  row->n_bytes += n_bytes;
}

void row_add_number(struct row *row, uint64_t number, size_t width) {
  struct digits digits;

  digits_begin(&digits);
  put_number(&digits, number);
  add_digits(row, &digits, width);
}

void row_add_number_left(struct row *row, uint64_t number, size_t width) {
  struct digits digits;

  digits_begin(&digits);
  put_number(&digits, number);
  const size_t length = digits_length(&digits);
  add_digits(row, &digits, 0);
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
  struct digits digits;
  uint64_t scaled;

  if (!scale_exactly(number, n_decimals, &scaled)) {
    char text[MAX_FIXED];
    const size_t length =
        (size_t)snprintf(text, sizeof(text), "%.*f", (int)n_decimals, number);
    if (length < width)
      row_add_blanks(row, width - length);
    row_add(row, text, length);
    return;
  }
  digits_begin(&digits);
  for (unsigned i = 0; i < n_decimals; i++) {
    *--digits.at = (char)('0' + scaled % 10);
    scaled /= 10;
  }
  *--digits.at = '.';
  put_number(&digits, scaled);
  add_digits(row, &digits, width);
}
