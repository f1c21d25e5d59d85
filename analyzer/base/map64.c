/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/map64.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

/** First slot to try. Keys are hostile: every bit must influence the slot. */
static size_t slot_of(const struct map64 *map, uint64_t key) {
  // The finalizer of MurmurHash3 (public domain, A. Appleby).
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdULL;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53ULL;
  key ^= key >> 33;
  return key & (map->capacity - 1);
}

uint32_t map64_find(const struct map64 *map, uint64_t key) {
  if (map->capacity == 0)
    return MAP64_NONE;
  for (size_t i = slot_of(map, key); map->values[i] != MAP64_NONE;
       i = (i + 1) & (map->capacity - 1))
    if (map->keys[i] == key)
      return map->values[i];
  return MAP64_NONE;
}

static void put(struct map64 *map, uint64_t key, uint32_t value) {
  size_t i = slot_of(map, key);

  while (map->values[i] != MAP64_NONE)
    i = (i + 1) & (map->capacity - 1);
  map->keys[i] = key;
  map->values[i] = value;
  map->n_entries++;
}

static int grow(struct map64 *map, struct err *err) {
  struct map64 larger = {.capacity = map->capacity ? 2 * map->capacity : 64};

  larger.keys = reallocarray(NULL, larger.capacity, sizeof(*larger.keys));
  larger.values = reallocarray(NULL, larger.capacity, sizeof(*larger.values));
  if (!larger.keys || !larger.values) {
    map64_release(&larger);
    return err_no_memory(err);
  }
  memset(larger.values, 0xff, larger.capacity * sizeof(*larger.values));
  for (size_t i = 0; i < map->capacity; i++)
    if (map->values[i] != MAP64_NONE)
      put(&larger, map->keys[i], map->values[i]);
  map64_release(map);
  *map = larger;
  return 0;
}

/** Make room for one more entry. */
static int make_room(struct map64 *map, struct err *err) {
  // In a table that is more than half full, runs of used slots get long.
  return 2 * (map->n_entries + 1) > map->capacity ? grow(map, err) : 0;
}

int map64_insert(struct map64 *map, uint64_t key, uint32_t value,
                 struct err *err) {
  if (make_room(map, err))
    return -1;
  put(map, key, value);
  return 0;
}

int map64_find_or_insert(struct map64 *map, uint64_t key, uint32_t *value,
                         struct err *err) {
  if (make_room(map, err))
    return -1;
  size_t i = slot_of(map, key);
  for (; map->values[i] != MAP64_NONE; i = (i + 1) & (map->capacity - 1))
    if (map->keys[i] == key) {
      *value = map->values[i];
      return 1;
    }
  map->keys[i] = key;
  map->values[i] = *value;
  map->n_entries++;
  return 0;
}

void map64_release(struct map64 *map) {
  free(map->keys);
  free(map->values);
  *map = (struct map64){0};
}
