/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads lists of address ranges (DWARF 5, 2.17.3) of split units, which libdw
 * finds only in files that it opens itself. Part of func_table.h.
 */
#ifndef ARCLINE_RANGE_LIST_H
#define ARCLINE_RANGE_LIST_H

#include "base/byte_reader.h"
#include "debug/line_table.h"

#include <stdbool.h>
#include <stdint.h>

/** Tables of a unit's addresses and ranges. */
struct unit_addresses {
  unsigned version; /* of DWARF */
  unsigned address_bytes, offset_bytes;
  bool is_big_endian;
  struct line_bytes addrs; /* the unit's part of .debug_addr */
  struct line_bytes lists; /* its part of .debug_rnglists or .debug_ranges */
  uint64_t base;           /* its low_pc */
};

/** Reading position. */
struct range_list {
  const struct unit_addresses *unit;
  struct byte_reader reader;
  uint64_t base;
};

/** Find address number i_addr of a unit. Returns false if there is none. */
bool unit_address(const struct unit_addresses *unit, uint64_t i_addr,
                  uint64_t *vaddr);

/** Start at an offset of the lists or, in DWARF 5, at list number `place`. */
struct range_list range_list_begin(const struct unit_addresses *unit,
                                   uint64_t place, bool is_number);

/** Read the next range. Returns false at the end, or at damage. */
bool range_list_next(struct range_list *list, uint64_t *low, uint64_t *high);

#endif
