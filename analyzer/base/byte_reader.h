/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads untrusted bytes: fixed-size numbers, LEB128, strings. Never reads past
 * the end. The first attempt sets has_failed; from then on all reads return
 * zero, so that callers may check once at the end.
 */
#ifndef ARCLINE_BYTE_READER_H
#define ARCLINE_BYTE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byte_reader {
  const uint8_t *at;
  const uint8_t *end;
  bool is_big_endian;
  bool has_failed;
};

/** Bytes that follow. */
static inline size_t byte_reader_left(const struct byte_reader *reader) {
  return (size_t)(reader->end - reader->at);
}

/** Skip n_bytes. Returns false if fewer are left. */
static inline bool byte_reader_skip(struct byte_reader *reader,
                                    uint64_t n_bytes) {
  if (reader->has_failed || n_bytes > byte_reader_left(reader)) {
    reader->has_failed = true;
    return false;
  }
  reader->at += n_bytes;
  return true;
}

/** Read a byte. */
static inline unsigned byte_reader_byte(struct byte_reader *reader) {
  return byte_reader_skip(reader, 1) ? reader->at[-1] : 0;
}

/** Read an unsigned number of 0 to 8 bytes. */
uint64_t byte_reader_uint(struct byte_reader *reader, unsigned n_bytes);

/** The slow path of byte_reader_leb(): numbers of any length. */
uint64_t byte_reader_long_leb(struct byte_reader *reader, bool is_signed);

/** Read a LEB128 number (DWARF 5, 7.6); bits beyond the 64th are dropped. A
 * negative one comes as two's complement. */
static inline uint64_t byte_reader_leb(struct byte_reader *reader,
                                       bool is_signed) {
  // Nearly all numbers have one byte, and most of the time is spent on reading
  // them.
  const bool is_short = !reader->has_failed && reader->at < reader->end &&
                        *reader->at < (is_signed ? 0x40 : 0x80);
  if (is_short)
    return *reader->at++;
  // The address of the caller's reader does not escape, so that it may stay in
  // registers.
  struct byte_reader copy = *reader;
  const uint64_t value = byte_reader_long_leb(&copy, is_signed);
  *reader = copy;
  return value;
}

/** Read a NUL-terminated string; NULL if there is no NUL. */
const char *byte_reader_string(struct byte_reader *reader);

#endif
