/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A table that gets full is replaced by a larger one after it. */
#include <errno.h>

#include "dump/pool_arcs.h"
#include "os/os.h"
#include "os/scratch.h"
#include "solve/arc.h"

enum {
  SLOTS = ARCLINE_POOL_CHUNK_BYTES / sizeof(struct arcline_pool_arc),
  CHUNK_BYTES = ARCLINE_POOL_CHUNK_BYTES,
};

static bool is_free(const struct arcline_pool_arc *slot) {
  return !slot->from && !slot->self;
}

/* Returns the chunk, or NULL with *rc set. */
static struct arcline_pool_arc *chunk_at(struct rt_pool_arcs *arcs, size_t i,
                                         int *rc) {
  struct rt_pool *pool = arcs->ends->pool;

  if (arcs->chunks[i])
    return arcs->chunks[i];
  struct arcline_pool_arc *chunk = rt_alloc(CHUNK_BYTES);
  *rc = chunk ? rt_pool_load(pool, pool->head->first_arc_chunk + i, 1,
                             (uint64_t *)chunk)
              : -ENOMEM;
  if (*rc) {
    rt_free(chunk, CHUNK_BYTES);
    return NULL;
  }
  arcs->chunks[i] = chunk;
  return chunk;
}

/* Adds an arc of the pool. */
static int add(struct rt_pool_arcs *arcs, const struct arcline_pool_arc *arc) {
  struct arcline_pool_head *head = arcs->ends->pool->head;
  uint64_t at =
      arcline_pool_mix(arcline_pool_mix(0, arc->from), arc->self) >> 20;
  int rc = 0;

  // There is a free slot, unless the file is damaged.
  for (uint64_t i = 0; i < head->n_slots; i++, at++) {
    at &= head->n_slots - 1;
    struct arcline_pool_arc *chunk = chunk_at(arcs, at / SLOTS, &rc);
    if (!chunk)
      return rc;
    struct arcline_pool_arc *slot = &chunk[at % SLOTS];
    if (is_free(slot)) {
      *slot = *arc;
      head->n_arcs++;
      return 0;
    }
    if (slot->from == arc->from && slot->self == arc->self) {
      slot->count += arc->count;
      return 0;
    }
  }
  return -RT_EINCOMPATIBLE;
}

static int map_chunks(struct rt_pool_arcs *arcs) {
  arcs->n_chunks = (size_t)(arcs->ends->pool->head->n_slots / SLOTS);
  arcs->chunks = rt_alloc(arcs->n_chunks * sizeof(*arcs->chunks) + 1);
  return arcs->chunks ? 0 : -ENOMEM;
}

/* Copies the arcs of the table that there is to the new one. */
static int copy_all(struct rt_pool_arcs *arcs, uint64_t first, size_t n) {
  struct rt_pool *pool = arcs->ends->pool;
  struct arcline_pool_arc *chunk = (void *)pool->words;
  int rc = 0;

  for (size_t i = 0; i < n && !rc; i++) {
    rc = rt_pool_load(pool, first + i, 1, pool->words);
    for (size_t j = 0; j < SLOTS && !rc; j++)
      if (!is_free(&chunk[j]))
        rc = add(arcs, &chunk[j]);
  }
  return rc;
}

static int grow(struct rt_pool_arcs *arcs, uint64_t n_slots) {
  const struct rt_pool *pool = arcs->ends->pool;
  struct arcline_pool_head *head = pool->head;
  const uint64_t first = head->first_arc_chunk;
  const size_t n = (size_t)(head->n_slots / SLOTS);

  head->first_arc_chunk = n ? first + n : pool->places.n_chunks;
  if (n_slots / SLOTS > pool->places.max_chunks - head->first_arc_chunk)
    return -EFBIG;
  head->n_slots = n_slots;
  head->n_arcs = 0;
  if (map_chunks(arcs))
    return -ENOMEM;
  arcs->larger = rt_alloc(arcs->n_chunks * CHUNK_BYTES);
  if (!arcs->larger)
    return -ENOMEM;
  for (size_t i = 0; i < arcs->n_chunks; i++)
    arcs->chunks[i] = arcs->larger + i * SLOTS;
  return copy_all(arcs, first, n);
}

int rt_pool_arcs_begin(struct rt_pool_ends *ends, size_t n_more,
                       struct rt_pool_arcs *out) {
  const struct arcline_pool_head *head = ends->pool->head;
  const uint64_t n = head->n_arcs + n_more;
  uint64_t n_slots = head->n_slots ? head->n_slots : SLOTS;

  *out = (struct rt_pool_arcs){.ends = ends};
  if (!n_more)
    return 0;
  if (head->n_slots && n <= head->n_slots / 4 * 3)
    return map_chunks(out);
  // Some of those that come are there already.
  while (n_slots / 4 * 3 < n)
    n_slots *= 2;
  return grow(out, n_slots);
}

int rt_pool_arcs_add(struct rt_pool_arcs *arcs, const struct solve_arc *arc) {
  const struct arcline_pool_arc one = {
      .from = rt_pool_end_of(arcs->ends, arc->from),
      .self = rt_pool_end_of(arcs->ends, arc->self),
      .count = arc->count};

  return is_free(&one) ? 0 : add(arcs, &one);
}

int rt_pool_arcs_add_bin(struct rt_pool_arcs *arcs, uint64_t vaddr,
                         uint64_t n_samples) {
  return add(arcs,
             &(const struct arcline_pool_arc){.from = ARCLINE_POOL_SAMPLES,
                                              .self = vaddr,
                                              .count = n_samples});
}

int rt_pool_arcs_store(struct rt_pool_arcs *arcs) {
  struct rt_pool *pool = arcs->ends->pool;
  int rc = arcs->ends->error;

  for (size_t i = 0; i < arcs->n_chunks && !rc; i++)
    if (arcs->chunks[i])
      rc = rt_pool_store(pool, pool->head->first_arc_chunk + i, 1,
                         (const uint64_t *)arcs->chunks[i]);
  return rc;
}

void rt_pool_arcs_end(struct rt_pool_arcs *arcs) {
  for (size_t i = 0; arcs->chunks && !arcs->larger && i < arcs->n_chunks; i++)
    rt_free(arcs->chunks[i], CHUNK_BYTES);
  rt_free(arcs->larger, arcs->n_chunks * CHUNK_BYTES);
  rt_free(arcs->chunks, arcs->n_chunks * sizeof(*arcs->chunks) + 1);
}
