/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/row.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

// A double has up to 309 digits before its point.
enum { MAX_FIXED = 320 };

// As many columns as a number usually has at most; no number has more digits.
enum { DIGITS_BYTES = ROW_SPARE_BYTES };

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

/** The digits of 0 to 99: two at a time take half the divisions. */
static const char digit_pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536"
    "37383940414243444546474849505152535455565758596061626364656667686970717273"
    "7475767778798081828384858687888990919293949596979899";

/** Number of digits. */
static inline size_t count_digits(uint64_t number) {
  static const uint64_t powers[] = {
      0ull,
      10ull,
      100ull,
      1000ull,
      10000ull,
      100000ull,
      1000000ull,
      10000000ull,
      100000000ull,
      1000000000ull,
      10000000000ull,
      100000000000ull,
      1000000000000ull,
      10000000000000ull,
      100000000000000ull,
      1000000000000000ull,
      10000000000000000ull,
      100000000000000000ull,
      1000000000000000000ull,
      10000000000000000000ull,
  };
  // 1233 / 4096 is close to the logarithm of 2.
  const unsigned n_bits = 64 - (unsigned)__builtin_clzll(number | 1);
  const unsigned guess = n_bits * 1233 >> 12;

  return guess + (number >= powers[guess]);
}

/** Write a number so that it ends at `end`. Returns where it begins. */
static inline char *put_number(char *end, uint64_t number) {
  while (number >= 100) {
    end -= 2;
    memcpy(end, digit_pairs + 2 * (number % 100), 2);
    number /= 100;
  }
  if (number >= 10) {
    end -= 2;
    memcpy(end, digit_pairs + 2 * number, 2);
  } else {
    *--end = (char)('0' + number);
  }
  return end;
}

/** Append room for a text of so many bytes, with blanks before it up to a
 * width, all of it at most DIGITS_BYTES. Returns the end. */
static inline char *add_room(struct row *row, size_t length, size_t width) {
  const size_t n_bytes = length < width ? width : length;

  if (ROW_BYTES - row->n_bytes < n_bytes)
    row_write(row);
  // A constant size takes few instructions; it may reach into the spare bytes.
  memset(row->bytes + row->n_bytes, ' ', DIGITS_BYTES);
  row->n_bytes += n_bytes;
  return row->bytes + row->n_bytes;
}

void row_add_number(struct row *row, uint64_t number, size_t width) {
  const size_t length = count_digits(number);

  if (width > DIGITS_BYTES) {
    row_add_blanks(row, width - length);
    width = 0;
  }
  put_number(add_room(row, length, width), number);
}

void row_add_number_left(struct row *row, uint64_t number, size_t width) {
  const size_t length = count_digits(number);

  put_number(add_room(row, length, 0), number);
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
  // Below 2 to the power of 60, hence less than half.
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

/** By printf(). A function of its own, since it needs a buffer on the stack. */
static __attribute__((noinline)) void add_any_fixed(struct row *row,
                                                    double number, size_t width,
                                                    unsigned n_decimals) {
  char text[MAX_FIXED];
  const size_t length =
      (size_t)snprintf(text, sizeof(text), "%.*f", (int)n_decimals, number);

  if (length < width)
    row_add_blanks(row, width - length);
  row_add(row, text, length);
}

void row_add_fixed(struct row *row, double number, size_t width,
                   unsigned n_decimals) {
  uint64_t scaled;

  // Zero is the most frequent number in a large report.
  if (number == 0 && !signbit(number) && width <= DIGITS_BYTES) {
    char *const end = add_room(row, 2 + n_decimals, width);
    if (n_decimals == 1)
      memcpy(end - 3, "0.0", 3);
    else
      memcpy(end - 4, "0.00", 4);
    return;
  }
  if (width > DIGITS_BYTES || !scale_exactly(number, n_decimals, &scaled)) {
    add_any_fixed(row, number, width, n_decimals);
    return;
  }
  const uint64_t unit = n_decimals == 1 ? 10 : 100;
  const uint64_t whole = scaled / unit;
  const uint64_t decimals = scaled % unit;
  const size_t length = count_digits(whole) + 1 + n_decimals;
  char *end = add_room(row, length, width);
  if (n_decimals == 1)
    end[-1] = (char)('0' + decimals);
  else
    memcpy(end - 2, digit_pairs + 2 * decimals, 2);
  end -= n_decimals;
  *--end = '.';
  put_number(end, whole);
}
