/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Shortens names of functions in the strings of the constant data. A long name
 * of one of the unit's own functions becomes ARCLINE_NAME_SHORT, then the
 * name's hash, seven bits in a byte, lowest first, each byte with its highest
 * bit set. The runtime compares names and never shows these; the analyzer finds
 * them by their hash in ARCLINE_SECTION_LINES.
 */
#ifndef ARCLINE_NAME_HASH_H
#define ARCLINE_NAME_HASH_H

#include <stdint.h>

#define ARCLINE_NAME_SHORT 1
#define ARCLINE_NAME_SHORT_BYTES 11 /* without the NUL */

static inline int arcline_name_is_short(const char *name) {
  return name[0] == ARCLINE_NAME_SHORT;
}

/** A number for a name, the same whether or not it was shortened. */
static inline uint64_t arcline_name_hash(const char *name) {
  uint64_t hash = 0xcbf29ce484222325;

  if (arcline_name_is_short(name)) {
    hash = 0;
    for (unsigned shift = 0; shift <= 63 && (uint8_t) * ++name & 0x80;
         shift += 7)
      hash |= (uint64_t)((uint8_t)*name & 0x7f) << shift;
    return hash;
  }
  // Source: FNV-1a.
  while (*name)
    hash = (hash ^ (uint8_t)*name++) * 0x100000001b3;
  return hash;
}

#endif
