/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads encoded numbers. The runtime and the analyzer share this code, so that
 * they cannot disagree. Freestanding: no libc, no allocation, no recursion.
 * Safe on hostile input: every read is checked, and every function ends after a
 * number of steps linear in its input. */
#ifndef ARCLINE_SOLVE_NUMBERS_H
#define ARCLINE_SOLVE_NUMBERS_H

#include <stdint.h>

/* Loops run over millions of numbers, with the cursor in registers. */
#define ARCLINE_HOT static inline __attribute__((always_inline))

/** Reading position in encoded data. Once bad, it stays bad and reads 0. */
struct arcline_cursor {
  const uint8_t *at;
  const uint8_t *end;
  int bad;
};

/** Read one ULEB128 number; 0 and cursor->bad if there is none within bounds.
 */
static inline uint64_t arcline_read_uleb(struct arcline_cursor *cursor) {
  uint64_t value = 0;

  if (cursor->at != cursor->end && *cursor->at < 0x80)
    return *cursor->at++; // nearly all numbers are small
  for (unsigned shift = 0; !cursor->bad; shift += 7) {
    if (cursor->at == cursor->end || shift > 63) {
      cursor->bad = 1;
      break;
    }
    uint8_t byte = *cursor->at++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
  return 0;
}

#define ARCLINE_ULEB_BYTES 10 /* at most */

/**
 * Read one ULEB128 number; at least ARCLINE_ULEB_BYTES bytes follow. Returns
 * the address of the next one, or NULL if this one does not end.
 */
ARCLINE_HOT const uint8_t *arcline_decode_uleb(const uint8_t *at,
                                               uint64_t *out) {
  const uint64_t first = at[0];
  if (first < 0x80) {
    *out = first;
    return at + 1;
  }
  const uint64_t second = at[1];
  if (second < 0x80) {
    *out = (first & 0x7f) | second << 7;
    return at + 2;
  }
  *out = 0;
  for (unsigned shift = 0; shift <= 63; shift += 7) {
    const uint8_t byte = *at++;
    *out |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return at;
  }
  return 0;
}

/** Read one number. Returns 0, or -1 if it is cut short. */
ARCLINE_HOT int arcline_read_one(struct arcline_cursor *cursor, uint64_t *out) {
  if (cursor->end - cursor->at < ARCLINE_ULEB_BYTES) {
    *out = arcline_read_uleb(cursor);
    return cursor->bad ? -1 : 0;
  }
  const uint8_t *at = arcline_decode_uleb(cursor->at, out);
  if (!at) {
    cursor->bad = 1;
    return -1;
  }
  cursor->at = at;
  return 0;
}

/** Read a number that must fit into 32 bits; else the cursor goes bad. */
static inline uint32_t arcline_read_u32(struct arcline_cursor *cursor) {
  uint64_t value = arcline_read_uleb(cursor);

  if (value > UINT32_MAX) {
    cursor->bad = 1;
    return 0;
  }
  return (uint32_t)value;
}

/** Skip n numbers; each ends in a byte below 0x80. */
static inline void arcline_skip_numbers(struct arcline_cursor *cursor,
                                        uint64_t n) {
  const uint64_t ones = UINT64_MAX / 0xff;

  if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && n < 8 &&
      cursor->end - cursor->at >= 8) {
    uint64_t bytes;
    __builtin_memcpy(&bytes, cursor->at, sizeof(bytes));
    const uint64_t first = ((uint64_t)1 << 8 * n) - 1;
    if (!(bytes & 0x80 * ones & first)) {
      cursor->at += n;
      return;
    }
  }
  for (; n >= 8 && cursor->end - cursor->at >= 8; cursor->at += 8) {
    uint64_t bytes;
    __builtin_memcpy(&bytes, cursor->at, sizeof(bytes));
    n -= 8 - ((bytes >> 7 & ones) * ones >> 56);
  }
  while (n && cursor->at != cursor->end)
    n -= *cursor->at++ < 0x80;
  if (n)
    cursor->bad = 1;
}

/** Undo the zigzag encoding of a signed number. */
static inline int64_t arcline_unzigzag(uint64_t value) {
  return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/**
 * Read how many elements of at least element_bytes follow. Returns the number,
 * or 0 and sets cursor->bad if they would not fit into what is left.
 */
static inline uint32_t arcline_read_length(struct arcline_cursor *cursor,
                                           uint32_t element_bytes) {
  uint32_t n = arcline_read_u32(cursor);

  if (n > (uint64_t)(cursor->end - cursor->at) / element_bytes)
    cursor->bad = 1;
  return cursor->bad ? 0 : n;
}

#endif
