/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/byte_reader.h"

#include <string.h>

uint64_t byte_reader_uint(struct byte_reader *reader, unsigned n_bytes) {
  if (n_bytes > 8 || !byte_reader_skip(reader, n_bytes)) {
    reader->has_failed = true;
    return 0;
  }
  const uint8_t *const bytes = reader->at - n_bytes;
  uint64_t value = 0;
  for (unsigned i = 0; i < n_bytes; i++)
    value = value << 8 | bytes[reader->is_big_endian ? i : n_bytes - 1 - i];
  return value;
}

uint64_t byte_reader_long_leb(struct byte_reader *reader, bool is_signed) {
  uint64_t value = 0;
  unsigned shift = 0;
  for (;;) {
    const unsigned byte = byte_reader_byte(reader);
    if (reader->has_failed)
      return 0;
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    // Any number of bytes may follow; stop counting before it overflows.
    shift = shift < 64 ? shift + 7 : 64;
    if (byte & 0x80)
      continue;
    if (is_signed && shift < 64 && (byte & 0x40))
      value |= ~(uint64_t)0 << shift;
    return value;
  }
}

const char *byte_reader_string(struct byte_reader *reader) {
  const char *const text = (const char *)reader->at;
  const size_t length = strnlen(text, byte_reader_left(reader));
  return byte_reader_skip(reader, (uint64_t)length + 1) ? text : NULL;
}
