/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "html/html_text.h"

#include "base/digits.h"
#include "base/row.h"
#include "base/utf8.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { HEAT_LEVELS = 6 };

/** The character of a sequence of two bytes or three. */
static unsigned decode(const char *text, size_t n_bytes) {
  const unsigned char *const at = (const unsigned char *)text;
  if (n_bytes == 2)
    return (at[0] & 0x1fu) << 6 | (at[1] & 0x3fu);
  return (at[0] & 0xfu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
}

/** Is a character invisible, or does it change the order of others? */
static bool is_unseen(unsigned character) {
  return (character >= 0x80 && character < 0xa0) || character == 0x61c ||
         (character >= 0x200b && character <= 0x200f) ||
         (character >= 0x2028 && character <= 0x202e) ||
         (character >= 0x2060 && character <= 0x206f) || character == 0xfeff;
}

/** Append a character that is not plain ASCII. Returns its number of bytes. */
static size_t add_sequence(struct row *out, const char *text, size_t n_left) {
  const size_t n = utf8_sequence_bytes(text);
  if (n == 0 || n > n_left) {
    ROW_ADD(out, UTF8_REPLACEMENT);
    return 1;
  }
  if ((n == 2 || n == 3) && is_unseen(decode(text, n)))
    row_add_format(out, "[U+%04X]", decode(text, n));
  else
    row_add(out, text, n);
  return n;
}

/** Append a character that is_special(). Returns its number of bytes. */
static size_t add_special(struct row *out, const char *text, size_t n_left,
                          bool is_markup) {
  const unsigned char byte = (unsigned char)*text;
  if (!is_markup && byte >= 0x20 && byte < 0x7f) {
    row_add(out, text, 1);
    return 1;
  }
  switch (byte) {
  case '&':
    ROW_ADD(out, "&amp;");
    return 1;
  case '<':
    ROW_ADD(out, "&lt;");
    return 1;
  case '>':
    ROW_ADD(out, "&gt;");
    return 1;
  case '"':
    ROW_ADD(out, "&quot;");
    return 1;
  case '\'':
    ROW_ADD(out, "&#39;");
    return 1;
  case '\t':
    ROW_ADD(out, "\t");
    return 1;
  default:
    if (byte >= 0x80)
      return add_sequence(out, text, n_left);
    row_add_format(out, "[U+%04X]", byte);
    return 1;
  }
}

static bool is_special(char byte) {
  return byte < 0x20 || byte == 0x7f || byte == '&' || byte == '<' ||
         byte == '>' || byte == '"' || byte == '\'';
}

static void add_bytes(struct row *out, const char *bytes, size_t n_bytes,
                      bool is_markup) {
  const char *const end = bytes + n_bytes;
  while (bytes < end) {
    const char *const first = bytes;
    // Bytes above 0x7f are negative: char is signed here, or they are tested.
    while (bytes < end && !is_special(*bytes) && !(*bytes & 0x80))
      bytes++;
    row_add(out, first, (size_t)(bytes - first));
    if (bytes < end)
      bytes += add_special(out, bytes, (size_t)(end - bytes), is_markup);
  }
}

void html_add_bytes(struct row *out, const char *bytes, size_t n_bytes) {
  add_bytes(out, bytes, n_bytes, true);
}

void html_add_data(struct row *out, const char *bytes, size_t n_bytes) {
  add_bytes(out, bytes, n_bytes, false);
}

void html_add(struct row *out, const char *text) {
  html_add_bytes(out, text, strlen(text));
}

void html_add_number(struct row *out, uint64_t number) {
  digits_add(out, number, 0);
}

void html_add_time(struct row *out, double n_samples, uint32_t rate_hz) {
  int n_decimals = rate_hz > 1 && rate_hz <= 100 ? 2 : 0;
  for (uint32_t rest = rate_hz - 1; rate_hz > 100 && rest; rest /= 10)
    n_decimals++;
  row_add_format(out, "%.*f", n_decimals,
                 rate_hz ? n_samples / rate_hz : n_samples);
}

uint64_t html_thousandths(double n_samples) {
  return n_samples > 0 ? (uint64_t)llround(1000 * n_samples) : 0;
}

void html_add_percent(struct row *out, double part, double whole) {
  row_add_fixed(out, whole > 0 ? 100 * part / whole : 0, 0, 1);
}

void html_add_share(struct row *out, size_t part, size_t whole) {
  row_add_fixed(out, percent_of(part, whole, 1), 0, 1);
}

void html_add_bar(struct row *out, double part, double whole,
                  const char *kind) {
  const double share = whole > 0 ? part / whole : 0;
  const double width = share < 0 ? 0 : share > 1 ? 1 : share;
  // A tree of files has two in each row: the rest is in the style sheet.
  ROW_ADD(out, "<svg class=\"bar ");
  row_add_text(out, kind);
  ROW_ADD(out, "\" aria-hidden=\"true\"><rect width=\"");
  row_add_fixed(out, 100 * width, 0, 1);
  ROW_ADD(out, "%\"/></svg>");
}

unsigned html_heat(double part, double hottest) {
  if (part <= 0 || hottest <= 0)
    return 0;
  const double level = ceil(HEAT_LEVELS * sqrt(part / hottest));
  return level < 1 ? 1 : level > HEAT_LEVELS ? HEAT_LEVELS : (unsigned)level;
}
