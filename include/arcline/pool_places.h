/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Computes where the parts of a pool (pool_format.h) are in its file. Valid C
 * and C++. */
#ifndef ARCLINE_POOL_PLACES_H
#define ARCLINE_POOL_PLACES_H

#include "arcline/pool_format.h"

/** Places of the words of an object's counts. */
struct arcline_pool_places {
  uint64_t callees;  /* struct arcline_live_callees, of ends. The cells begin
                        at ARCLINE_POOL_FIGURES */
  uint64_t n_chunks; /* without tables of arcs, which come after them */
  uint64_t max_chunks;
  uint64_t head_bytes;
  uint64_t data; /* offset of the first chunk in the file */
};

static inline uint64_t arcline_pool_up(uint64_t n, uint64_t unit) {
  return (n + unit - 1) / unit * unit;
}

/** Returns 0; or -1 if the object is too large. */
static inline int
arcline_pool_find_places(const struct arcline_live_object *object,
                         struct arcline_pool_places *out) {
  const uint64_t max = (uint64_t)ARCLINE_POOL_MAX_CHUNKS << 9;
  uint64_t at = ARCLINE_POOL_FIGURES + arcline_pool_up(object->n_cells, 2);

  out->callees = at;
  if (object->n_cells > max || object->n_sites > max)
    return -1;
  at = arcline_pool_up(at + 2 * object->n_sites, ARCLINE_POOL_CHUNK_WORDS);
  out->n_chunks = at / ARCLINE_POOL_CHUNK_WORDS;
  out->max_chunks = out->n_chunks + ARCLINE_POOL_ARC_CHUNKS;
  out->head_bytes = arcline_pool_up(sizeof(struct arcline_pool_head) +
                                        out->max_chunks / 8 + 8,
                                    ARCLINE_POOL_CHUNK_BYTES);
  out->data = ARCLINE_POOL_HEADS_OFFSET + 2 * out->head_bytes;
  return out->max_chunks <= ARCLINE_POOL_MAX_CHUNKS ? 0 : -1;
}

/** Offset of a copy (0 or 1) of a chunk in the file. */
static inline uint64_t
arcline_pool_offset(const struct arcline_pool_places *places, uint64_t chunk,
                    unsigned copy) {
  const uint64_t block = chunk / ARCLINE_POOL_BLOCK * 2 + copy;

  return places->data +
         (block * ARCLINE_POOL_BLOCK + chunk % ARCLINE_POOL_BLOCK) *
             ARCLINE_POOL_CHUNK_BYTES;
}

static inline uint64_t arcline_pool_mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

/** The bytes of a head that are in use: up to the bit of the last chunk. They
 * never become fewer. */
static inline uint64_t
arcline_pool_used_bytes(const struct arcline_pool_places *places,
                        const struct arcline_pool_head *head) {
  const uint64_t n_arc_chunks =
      head->n_slots / (ARCLINE_POOL_CHUNK_WORDS / ARCLINE_POOL_ARC_WORDS);
  uint64_t end = places->n_chunks;

  if (n_arc_chunks > ARCLINE_POOL_ARC_CHUNKS ||
      head->first_arc_chunk > places->max_chunks - n_arc_chunks)
    return places->head_bytes; // damaged
  if (n_arc_chunks && end < head->first_arc_chunk + n_arc_chunks)
    end = head->first_arc_chunk + n_arc_chunks;
  return sizeof(*head) + arcline_pool_up(end, 64) / 8;
}

static inline uint64_t
arcline_pool_checksum(const struct arcline_pool_places *places,
                      const struct arcline_pool_head *head) {
  const uint64_t n_bytes = arcline_pool_used_bytes(places, head);
  const uint64_t *words = &head->checksum;
  uint64_t sum = 0;

  for (uint64_t i = 1; i < n_bytes / sizeof(*words); i++)
    sum = arcline_pool_mix(sum, words[i]);
  return sum;
}

#endif
