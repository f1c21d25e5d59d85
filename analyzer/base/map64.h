/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Maps 64-bit keys to 32-bit numbers, in a hash table. Entries are never
 * removed.
 */
#ifndef ARCLINE_MAP64_H
#define ARCLINE_MAP64_H

#include <stddef.h>
#include <stdint.h>

struct err;

/** "No entry"; no value may be this. */
#define MAP64_NONE UINT32_MAX

/** All zero is empty. */
struct map64 {
  uint64_t *keys;
  uint32_t *values; /* MAP64_NONE: free slot */
  size_t n_entries;
  size_t capacity; /* a power of two */
};

/** The value of a key, or MAP64_NONE. */
uint32_t map64_find(const struct map64 *map, uint64_t key);

/** Set the value of a key that is not in the table yet. Returns 0, or -1 with
 * *err set (no memory). */
int map64_insert(struct map64 *map, uint64_t key, uint32_t value,
                 struct err *err);

/**
 * Find a key, or insert it with *value.
 *
 * Returns 1 with *value set to that of the key; 0 if it was inserted; or -1
 * with *err set (no memory).
 */
int map64_find_or_insert(struct map64 *map, uint64_t key, uint32_t *value,
                         struct err *err);

/** Free; a released map is empty. */
void map64_release(struct map64 *map);

#endif
