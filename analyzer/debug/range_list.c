/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/range_list.h"

#include <dwarf.h>

bool unit_address(const struct unit_addresses *unit, uint64_t i_addr,
                  uint64_t *vaddr) {
  struct byte_reader reader = {.at = unit->addrs.bytes,
                               .end = unit->addrs.bytes + unit->addrs.n_bytes,
                               .is_big_endian = unit->is_big_endian};
  if (i_addr >= unit->addrs.n_bytes)
    return false;
  byte_reader_skip(&reader, i_addr * unit->address_bytes);
  *vaddr = byte_reader_uint(&reader, unit->address_bytes);
  return !reader.has_failed;
}

/** Go to list number i_list: a table of offsets follows the header. */
static void go_to_list(struct byte_reader *reader, uint64_t i_list) {
  const bool is_64 = byte_reader_uint(reader, 4) == 0xffffffff;
  const unsigned offset_bytes = is_64 ? 8 : 4;
  if (is_64)
    byte_reader_skip(reader, 8);
  byte_reader_skip(reader, 4); // version, sizes of addresses and segments
  const uint64_t n_lists = byte_reader_uint(reader, 4);
  struct byte_reader table = *reader;
  if (i_list >= n_lists || !byte_reader_skip(&table, i_list * offset_bytes)) {
    reader->has_failed = true;
    return;
  }
  byte_reader_skip(reader, byte_reader_uint(&table, offset_bytes));
  reader->has_failed |= table.has_failed;
}

struct range_list range_list_begin(const struct unit_addresses *unit,
                                   uint64_t place, bool is_number) {
  struct range_list list = {
      .unit = unit,
      .reader = {.at = unit->lists.bytes,
                 .end = unit->lists.bytes + unit->lists.n_bytes,
                 .is_big_endian = unit->is_big_endian},
      .base = unit->base,
  };
  if (is_number)
    go_to_list(&list.reader, place);
  else
    byte_reader_skip(&list.reader, place);
  return list;
}

/** DWARF 2 to 4: pairs of addresses. */
static bool next_old(struct range_list *list, uint64_t *low, uint64_t *high) {
  struct byte_reader *const reader = &list->reader;
  const unsigned n_bytes = list->unit->address_bytes;
  const uint64_t highest =
      n_bytes < 8 ? ((uint64_t)1 << 8 * n_bytes) - 1 : UINT64_MAX;
  for (;;) {
    *low = byte_reader_uint(reader, n_bytes);
    *high = byte_reader_uint(reader, n_bytes);
    if (reader->has_failed || (*low == 0 && *high == 0))
      return false;
    if (*low == highest) {
      list->base = *high;
      continue;
    }
    *low += list->base;
    *high += list->base;
    return true;
  }
}

static uint64_t read_indexed(struct range_list *list) {
  uint64_t vaddr = 0;
  if (!unit_address(list->unit, byte_reader_leb(&list->reader, false), &vaddr))
    list->reader.has_failed = true;
  return vaddr;
}

static bool next_new(struct range_list *list, uint64_t *low, uint64_t *high) {
  struct byte_reader *const reader = &list->reader;
  const unsigned n_bytes = list->unit->address_bytes;
  while (!reader->has_failed) {
    switch (byte_reader_uint(reader, 1)) {
    case DW_RLE_base_addressx:
      list->base = read_indexed(list);
      continue;
    case DW_RLE_base_address:
      list->base = byte_reader_uint(reader, n_bytes);
      continue;
    case DW_RLE_startx_endx:
      *low = read_indexed(list);
      *high = read_indexed(list);
      break;
    case DW_RLE_startx_length:
      *low = read_indexed(list);
      *high = *low + byte_reader_leb(reader, false);
      break;
    case DW_RLE_offset_pair:
      *low = list->base + byte_reader_leb(reader, false);
      *high = list->base + byte_reader_leb(reader, false);
      break;
    case DW_RLE_start_end:
      *low = byte_reader_uint(reader, n_bytes);
      *high = byte_reader_uint(reader, n_bytes);
      break;
    case DW_RLE_start_length:
      *low = byte_reader_uint(reader, n_bytes);
      *high = *low + byte_reader_leb(reader, false);
      break;
    default: // end of list, or unknown
      return false;
    }
    return !reader->has_failed;
  }
  return false;
}

bool range_list_next(struct range_list *list, uint64_t *low, uint64_t *high) {
  return list->unit->version < 5 ? next_old(list, low, high)
                                 : next_new(list, low, high);
}
