/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unwind/cursor.h"

static void *bad(struct rt_cursor *cursor) {
  cursor->is_bad = true;
  return NULL;
}

/* All CPUs with a port are little endian. */
uint64_t rt_cursor_fixed(struct rt_cursor *cursor, size_t n) {
  uint64_t value = 0;

  if (cursor->is_bad || cursor->end - cursor->at < n ||
      !rt_safe_read(cursor->reader, cursor->at, &value, n)) {
    bad(cursor);
    return 0;
  }
  cursor->at += n;
  return value;
}

/* The bits of a number in LEB128; *n is their number. Those beyond 64 are
   dropped. */
static uint64_t read_leb128(struct rt_cursor *cursor, unsigned *n,
                            bool *is_negative) {
  uint64_t value = 0;
  uint64_t byte;

  *n = 0;
  do {
    byte = rt_cursor_fixed(cursor, 1);
    if (*n < 64)
      value |= (byte & 0x7f) << *n;
    *n += 7;
  } while (byte & 0x80 && *n < 140);
  *is_negative = (byte & 0x40) != 0;
  if (byte & 0x80)
    bad(cursor);
  return value;
}

uint64_t rt_cursor_unsigned(struct rt_cursor *cursor) {
  bool is_negative;
  unsigned n;

  return read_leb128(cursor, &n, &is_negative);
}

int64_t rt_cursor_signed(struct rt_cursor *cursor) {
  bool is_negative;
  unsigned n;
  uint64_t value = read_leb128(cursor, &n, &is_negative);

  if (is_negative && n < 64)
    value |= ~(uint64_t)0 << n;
  return (int64_t)value;
}

void rt_cursor_skip(struct rt_cursor *cursor, uint64_t n) {
  if (cursor->is_bad || cursor->end - cursor->at < n)
    bad(cursor);
  else
    cursor->at += n;
}

uint64_t rt_cursor_size(struct rt_cursor *cursor, uint8_t encoding) {
  switch (encoding & 0x0f) {
  case 0x00:
  case 0x04:
  case 0x0c:
    return rt_cursor_fixed(cursor, 8);
  case 0x01:
    return rt_cursor_unsigned(cursor);
  case 0x02:
    return rt_cursor_fixed(cursor, 2);
  case 0x03:
    return rt_cursor_fixed(cursor, 4);
  case 0x09:
    return (uint64_t)rt_cursor_signed(cursor);
  case 0x0a:
    return (uint64_t)(int16_t)rt_cursor_fixed(cursor, 2);
  case 0x0b:
    return (uint64_t)(int32_t)rt_cursor_fixed(cursor, 4);
  default:
    bad(cursor);
    return 0;
  }
}

uint64_t rt_cursor_pointer(struct rt_cursor *cursor, uint8_t encoding) {
  const uint64_t at = cursor->at;

  if (encoding == RT_POINTER_OMITTED)
    return 0;
  const uint64_t value = rt_cursor_size(cursor, encoding);
  switch (encoding & 0xf0) {
  case RT_POINTER_ABSOLUTE:
    return value;
  case RT_POINTER_OF_PC:
    return value + at;
  case RT_POINTER_OF_DATA:
    return value + cursor->base;
  default:
    bad(cursor);
    return 0;
  }
}
