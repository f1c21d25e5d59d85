/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads numbers of unwind tables one after the other. A number beyond the end
 * reads as 0 and sets is_bad. Everything runs: hook. Source: LSB Core, "DWARF
 * Extensions"; DWARF 5, 7.6. */
#ifndef ARCLINE_RT_CURSOR_H
#define ARCLINE_RT_CURSOR_H

#include "os/safe_read.h"

/** Encodings of a pointer; the lower four bits are the size, the next three the
 * base. */
enum rt_pointer_encoding {
  RT_POINTER_ABSOLUTE = 0x00,
  RT_POINTER_OF_PC = 0x10,   /* from its own address */
  RT_POINTER_OF_DATA = 0x30, /* from the cursor's base */
  RT_POINTER_OMITTED = 0xff,
};

struct rt_cursor {
  struct rt_safe_reader *reader;
  uint64_t at, end; /* addresses */
  uint64_t base;    /* of RT_POINTER_OF_DATA */
  bool is_bad;      /* something was missing or invalid */
};

static inline bool rt_cursor_has_more(const struct rt_cursor *cursor) {
  return !cursor->is_bad && cursor->at < cursor->end;
}

/** A number of 1, 2, 4 or 8 bytes. */
uint64_t rt_cursor_fixed(struct rt_cursor *cursor, size_t n);
uint64_t rt_cursor_unsigned(struct rt_cursor *cursor); /* LEB128 */
int64_t rt_cursor_signed(struct rt_cursor *cursor);    /* LEB128 */
void rt_cursor_skip(struct rt_cursor *cursor, uint64_t n);
/** A pointer; 0 if it is omitted. A pointer to a pointer is rejected. */
uint64_t rt_cursor_pointer(struct rt_cursor *cursor, uint8_t encoding);
/** The same without a base: a size. */
uint64_t rt_cursor_size(struct rt_cursor *cursor, uint8_t encoding);

#endif
