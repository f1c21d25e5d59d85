/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unwind/tables.h"

enum {
  VERSION = 1,
  ENTRY_ENCODING = 0x3b, /* 32 bits, from the index on; no linker writes another
                            one that could be searched */
  ENTRY_BYTES = 8,
};

/* An entry is the addresses of a function and of its description. */
static uint64_t read_entry(struct rt_cursor *entries, uint64_t first,
                           uint64_t i, uint64_t *fde) {
  entries->at = first + i * ENTRY_BYTES;
  const uint64_t pc = rt_cursor_pointer(entries, ENTRY_ENCODING);

  *fde = rt_cursor_pointer(entries, ENTRY_ENCODING);
  return pc;
}

uint64_t rt_tables_find(struct rt_safe_reader *tables, uint64_t index,
                        uint64_t pc, bool *is_index) {
  struct rt_cursor cursor = {
      .reader = tables, .at = index, .end = ~(uint64_t)0, .base = index};
  uint64_t fde, found = 0;

  const uint64_t version = rt_cursor_fixed(&cursor, 1);
  const uint8_t start_encoding = (uint8_t)rt_cursor_fixed(&cursor, 1);
  const uint8_t n_encoding = (uint8_t)rt_cursor_fixed(&cursor, 1);
  const uint64_t encoding = rt_cursor_fixed(&cursor, 1);
  rt_cursor_pointer(&cursor, start_encoding);
  uint64_t low = 0, high = rt_cursor_pointer(&cursor, n_encoding);
  *is_index = !cursor.is_bad && version == VERSION && high <= UINT32_MAX &&
              n_encoding != RT_POINTER_OMITTED && encoding == ENTRY_ENCODING;
  const uint64_t first = cursor.at;
  while (*is_index && low < high && !cursor.is_bad) {
    const uint64_t middle = low + (high - low) / 2;
    if (read_entry(&cursor, first, middle, &fde) <= pc) {
      low = middle + 1;
      found = fde;
    } else {
      high = middle;
    }
  }
  return cursor.is_bad ? 0 : found;
}
