/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Formats lines of a report in memory, column by column. Numbers have the same
 * digits as by printf(), at a fraction of its cost, which dominated large
 * reports.
 */
#ifndef ARCLINE_ROW_H
#define ARCLINE_ROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROW_BYTES = 32768, ROW_FORMAT_BYTES = 512, ROW_SPARE_BYTES = 32 };

/** Text that is not written yet: the current row, and rows before it. */
struct row {
  FILE *stream;
  size_t n_bytes;
  char bytes[ROW_BYTES + ROW_SPARE_BYTES];
};

/** Begin. The stream must be used by one thread only. */
static inline void row_begin(struct row *row, FILE *stream) {
  row->stream = stream;
  row->n_bytes = 0;
}

/** Write the text so far: before anything else is written to the stream, and at
 * the end. Errors stay with the stream. */
void row_write(struct row *row);

/** Append any number of bytes. */
void row_add_long(struct row *row, const char *bytes, size_t n_bytes);

/** Append bytes. */
static inline void row_add(struct row *row, const char *bytes, size_t n_bytes) {
  if (n_bytes > ROW_BYTES || row->n_bytes > ROW_BYTES - n_bytes) {
    row_add_long(row, bytes, n_bytes);
    return;
  }
  memcpy(row->bytes + row->n_bytes, bytes, n_bytes);
  row->n_bytes += n_bytes;
}

/** Append a text that is a literal. */
#define ROW_ADD(row, literal) row_add(row, "" literal, sizeof(literal) - 1)

/** Append a text. */
void row_add_text(struct row *row, const char *text);

/** Append a text, with blanks before it up to a width: "%*s". */
void row_add_right(struct row *row, const char *text, int width);

/** Append text as printf() formats it, ROW_FORMAT_BYTES at most: too slow for
 * each row of a large report. */
void row_add_format(struct row *row, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Append blanks. */
void row_add_blanks(struct row *row, size_t n);

/** Append a number, with blanks before it up to a width: "%*lu". */
void row_add_number(struct row *row, uint64_t number, size_t width);

/** Append a number, with blanks after it: "%-*lu". */
void row_add_number_left(struct row *row, uint64_t number, size_t width);

/** Append a number with one or two decimals: "%*.1f", "%*.2f". */
void row_add_fixed(struct row *row, double number, size_t width,
                   unsigned n_decimals);

#endif
