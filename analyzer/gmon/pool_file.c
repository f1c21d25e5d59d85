/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gmon/pool_file.h"

#include "base/err.h"
#include "gmon/gmon_file.h"
#include "gmon/live_file.h"

#include <string.h>

bool pool_is_pool_file(const struct gmon_file *file) {
  return file->n_bytes >= ARCLINE_POOL_MAGIC_BYTES &&
         memcmp(file->bytes, ARCLINE_POOL_MAGIC, ARCLINE_POOL_MAGIC_BYTES) == 0;
}

static int damaged(const struct pool_file *pool, const char *what,
                   struct err *err) {
  return err_set(err, ERR_INPUT,
                 "%s: corrupt: %s; did another program write to the file, or "
                 "did the machine crash?",
                 pool->bytes->path, what);
}

static int read_start(struct pool_file *pool, struct err *err) {
  const struct gmon_file *const file = pool->bytes;
  struct arcline_pool_start *const start = &pool->start;

  if (!pool_is_pool_file(file) || file->n_bytes < sizeof(*start))
    return err_set(err, ERR_INPUT, "%s: not a pool, or truncated", file->path);
  memcpy(start, file->bytes, sizeof(*start));
  if (start->byte_order != ARCLINE_POOL_BYTE_ORDER)
    return err_set(err, ERR_INPUT,
                   "%s: pool has another byte order; read it on a machine like "
                   "the one that wrote it",
                   file->path);
  if (start->version != ARCLINE_POOL_VERSION)
    return err_set(err, ERR_INPUT,
                   "%s: pool has version %u, this arcline reads version %d; "
                   "use the arcline that belongs to the runtime of the program",
                   file->path, start->version, ARCLINE_POOL_VERSION);
  const char *const flaw = live_record_flaw(&start->object);
  if (flaw)
    return damaged(pool, flaw, err);
  if (start->rate_hz == 0 || start->n_program > sizeof(start->program) ||
      !memchr(start->dimension, '\0', sizeof(start->dimension)))
    return damaged(pool, "bad header", err);
  return arcline_pool_find_places(&start->object, &pool->places)
             ? damaged(pool, "too large", err)
             : 0;
}

// --- Heads ---

static int cut_off(const struct pool_file *pool, uint64_t n_bytes,
                   struct err *err) {
  return err_set(err, ERR_INPUT,
                 "%s: truncated: %zu bytes, at least %ju are required",
                 pool->bytes->path, pool->bytes->n_bytes, (uintmax_t)n_bytes);
}

static int read_head(struct pool_file *pool, struct err *err) {
  const uint64_t n_bytes = pool->places.head_bytes;

  if (pool->bytes->n_bytes < pool->places.data)
    return cut_off(pool, pool->places.data, err);
  for (uint64_t i = 0; i < 2; i++) {
    const struct arcline_pool_head *const head =
        (const void *)(pool->bytes->bytes + ARCLINE_POOL_HEADS_OFFSET +
                       i * n_bytes);
    if (head->checksum == arcline_pool_checksum(&pool->places, head) &&
        (!pool->head || head->sequence > pool->head->sequence))
      pool->head = head;
  }
  if (!pool->head)
    return damaged(pool, "no valid header", err);
  return pool->bytes->n_bytes >= pool->head->n_bytes
             ? 0
             : cut_off(pool, pool->head->n_bytes, err);
}

static int check_head(struct pool_file *pool, struct err *err) {
  const struct arcline_pool_head *const head = pool->head;
  const uint64_t slots =
      ARCLINE_POOL_CHUNK_BYTES / sizeof(struct arcline_pool_arc);
  const uint64_t n_chunks = head->n_slots / slots;

  if (head->n_slots % slots ||
      n_chunks > pool->places.max_chunks - pool->places.n_chunks ||
      (n_chunks &&
       (head->first_arc_chunk < pool->places.n_chunks ||
        head->first_arc_chunk > pool->places.max_chunks - n_chunks)))
    return damaged(pool, "bad offset of the table of arcs", err);
  if (head->n_others > ARCLINE_POOL_MAX_OTHERS)
    return damaged(pool, "list of objects is too long", err);
  pool->others =
      (const void *)(pool->bytes->bytes + ARCLINE_POOL_OTHERS_OFFSET);
  for (uint64_t i = 0; i < head->n_others; i++)
    if (pool->others[i].n_build_id > sizeof(pool->others[i].build_id))
      return damaged(pool, "build ID is too long", err);
  return 0;
}

int pool_file_read(const struct gmon_file *bytes, struct pool_file *out,
                   struct err *err) {
  *out = (struct pool_file){.bytes = bytes};
  return read_start(out, err) || read_head(out, err) || check_head(out, err)
             ? -1
             : 0;
}

// --- Words ---

/** Which copy of a chunk counts. */
static unsigned copy_of(const struct pool_file *pool, uint64_t chunk) {
  const uint64_t *const bits = (const uint64_t *)(pool->head + 1);

  return bits[chunk / 64] >> chunk % 64 & 1;
}

const uint64_t *pool_file_chunk(const struct pool_file *pool, uint64_t chunk,
                                size_t *n_words) {
  const uint64_t offset =
      arcline_pool_offset(&pool->places, chunk, copy_of(pool, chunk));
  const uint64_t n_bytes = pool->bytes->n_bytes;
  const uint64_t n_left = n_bytes > offset ? n_bytes - offset : 0;

  *n_words =
      (size_t)(n_left < ARCLINE_POOL_CHUNK_BYTES ? n_left
                                                 : ARCLINE_POOL_CHUNK_BYTES) /
      sizeof(uint64_t);
  return (const void *)(pool->bytes->bytes + (n_left ? offset : 0));
}

void pool_file_copy(const struct pool_file *pool, uint64_t first,
                    size_t n_words, uint64_t *out) {
  for (size_t i = 0; i < n_words;) {
    const uint64_t at = (first + i) % ARCLINE_POOL_CHUNK_WORDS;
    const size_t n_left = n_words - i;
    const size_t n = ARCLINE_POOL_CHUNK_WORDS - at < n_left
                         ? (size_t)(ARCLINE_POOL_CHUNK_WORDS - at)
                         : n_left;
    size_t n_there;
    const uint64_t *const words =
        pool_file_chunk(pool, (first + i) / ARCLINE_POOL_CHUNK_WORDS, &n_there);
    for (size_t j = 0; j < n; j++)
      out[i + j] = at + j < n_there ? words[at + j] : 0;
    i += n;
  }
}

void pool_file_each_arc(const struct pool_file *pool,
                        void (*visit)(void *context,
                                      const struct arcline_pool_arc *arc),
                        void *context) {
  const uint64_t slots =
      ARCLINE_POOL_CHUNK_BYTES / sizeof(struct arcline_pool_arc);

  for (uint64_t i = 0; i < pool->head->n_slots / slots; i++) {
    size_t n_words;
    const struct arcline_pool_arc *const arcs = (const void *)pool_file_chunk(
        pool, pool->head->first_arc_chunk + i, &n_words);
    for (size_t j = 0; j < n_words / ARCLINE_POOL_ARC_WORDS; j++)
      if (arcs[j].from || arcs[j].self)
        visit(context, &arcs[j]);
  }
}
