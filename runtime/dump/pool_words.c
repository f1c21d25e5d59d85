/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* By read() and write(), not mapped: a disk that is full, or a file that
   another program has cut off, is an error then and not a SIGBUS. */
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "dump/pool_words.h"
#include "os/os.h"
#include "os/read_write.h"
#include "os/scratch.h"
#include "solve/solve.h"

enum {
  CHUNK = ARCLINE_POOL_CHUNK_WORDS,
  BLOCK_BYTES = ARCLINE_POOL_BLOCK * ARCLINE_POOL_CHUNK_BYTES,
};

static size_t change_bytes(const struct rt_pool *pool) {
  return (size_t)(pool->places.max_chunks / 8 + 8);
}

/* Room for a head of small pools, whose other pages are then not used. */
enum { USUAL_HEAD_BYTES = 512 };

/* Reads a head, of which bytes has room for the first n. Returns whether it is
   valid, or a negative errno. */
static int read_head(const struct rt_pool *pool, unsigned i, void *bytes,
                     size_t n) {
  const uint64_t offset =
      ARCLINE_POOL_HEADS_OFFSET + i * pool->places.head_bytes;
  const struct arcline_pool_head *const head = bytes;
  const size_t n_first = n < USUAL_HEAD_BYTES ? n : USUAL_HEAD_BYTES;
  // Bytes that were not written yet are zero.
  long rc = rt_read_at(pool->fd, bytes, n_first, offset);

  if (rc < 0)
    return (int)rc;
  const size_t n_used = (size_t)arcline_pool_used_bytes(&pool->places, head);
  if (n_used > n)
    return -ENOBUFS;
  if (n_used > n_first)
    rc = rt_read_at(pool->fd, (char *)bytes + n_first, n_used - n_first,
                    offset + n_first);
  // Otherwise the process that wrote it was killed.
  return rc < 0 ? (int)rc
                : head->checksum == arcline_pool_checksum(&pool->places, head);
}

/* Reads the valid head that counts. Returns 0 or a negative errno. */
static int read_heads(struct rt_pool *pool) {
  const size_t n_bytes = (size_t)pool->places.head_bytes;
  _Alignas(struct arcline_pool_head) char usual[USUAL_HEAD_BYTES] = {0};
  void *large = NULL;
  struct arcline_pool_head *second = (void *)usual;
  const int has_first = read_head(pool, 0, pool->head, n_bytes);
  int has_second = read_head(pool, 1, usual, sizeof(usual));

  if (has_second == -ENOBUFS) {
    large = rt_alloc(n_bytes);
    second = large;
    has_second = large ? read_head(pool, 1, large, n_bytes) : -ENOMEM;
  }
  if (has_second > 0 &&
      (has_first <= 0 || second->sequence > pool->head->sequence)) {
    const size_t n_read =
        (size_t)arcline_pool_used_bytes(&pool->places, pool->head);
    rt_zero(pool->head, n_read < USUAL_HEAD_BYTES ? USUAL_HEAD_BYTES : n_read);
    rt_copy(pool->head, second,
            (size_t)arcline_pool_used_bytes(&pool->places, second));
  }
  rt_free(large, n_bytes);
  if (has_first < 0 || has_second < 0)
    return has_first < 0 ? has_first : has_second;
  return has_first || has_second ? 0 : -RT_EINCOMPATIBLE;
}

static bool is_plausible(const struct rt_pool *pool) {
  const struct arcline_pool_head *head = pool->head;
  const uint64_t n_chunks =
      head->n_slots * ARCLINE_POOL_ARC_WORDS / ARCLINE_POOL_CHUNK_WORDS;

  return head->n_others <= ARCLINE_POOL_MAX_OTHERS &&
         head->n_arcs <= head->n_slots &&
         head->n_slots <= (uint64_t)ARCLINE_POOL_ARC_CHUNKS * CHUNK &&
         !(head->n_slots & (head->n_slots - 1)) &&
         (!head->n_slots ||
          (n_chunks && head->first_arc_chunk >= pool->places.n_chunks &&
           head->first_arc_chunk < pool->places.max_chunks &&
           n_chunks <= pool->places.max_chunks - head->first_arc_chunk));
}

int rt_pool_begin(long fd, const struct arcline_live_object *object,
                  struct rt_pool *out) {
  *out = (struct rt_pool){.fd = fd};
  if (arcline_pool_find_places(object, &out->places))
    return -EFBIG;
  // The beginnings of both are used, in one page perhaps.
  out->changed = rt_alloc(change_bytes(out));
  out->head = rt_alloc((size_t)out->places.head_bytes);
  out->words = rt_buffer(BLOCK_BYTES); // each load fills it
  if (!out->head || !out->changed || !out->words)
    return -ENOMEM;
  out->newer = (uint64_t *)(out->head + 1);
  const int rc = read_heads(out);
  if (rc)
    return rc;
  // Is all of it there?
  const long end = rt_sys(SYS_lseek, fd, 0, SEEK_END, 0, 0);
  return is_plausible(out) && end >= (long)out->places.data &&
                 end >= (long)out->head->n_bytes
             ? 0
             : -RT_EINCOMPATIBLE;
}

void rt_pool_end(struct rt_pool *pool) {
  rt_free(pool->words, BLOCK_BYTES);
  rt_free(pool->head, (size_t)pool->places.head_bytes);
  rt_free(pool->changed, change_bytes(pool));
}

size_t rt_pool_stretch(const struct rt_pool *pool, uint64_t chunk, uint64_t n) {
  size_t i = 1;

  while (i < n && (chunk + i) % ARCLINE_POOL_BLOCK &&
         rt_pool_has_bit(pool->newer, chunk + i) ==
             rt_pool_has_bit(pool->newer, chunk) &&
         rt_pool_has_bit(pool->changed, chunk + i) ==
             rt_pool_has_bit(pool->changed, chunk))
    i++;
  return i;
}

int rt_pool_load(const struct rt_pool *pool, uint64_t chunk, size_t n,
                 uint64_t *words) {
  const size_t n_bytes = n * ARCLINE_POOL_CHUNK_BYTES;
  const long rc =
      rt_read_at(pool->fd, words, n_bytes,
                 arcline_pool_offset(&pool->places, chunk,
                                     rt_pool_has_bit(pool->newer, chunk)));

  if (rc < 0)
    return (int)rc;
  rt_zero((char *)words + rc, n_bytes - (size_t)rc); // after the file's end
  return 0;
}

int rt_pool_store(struct rt_pool *pool, uint64_t chunk, size_t n,
                  const uint64_t *words) {
  const bool is_changed = rt_pool_has_bit(pool->changed, chunk);
  const size_t n_bytes = n * ARCLINE_POOL_CHUNK_BYTES;

  for (size_t i = 0; i < n && !is_changed; i++) {
    pool->changed[(chunk + i) / 64] |= (uint64_t)1 << (chunk + i) % 64;
    pool->newer[(chunk + i) / 64] ^= (uint64_t)1 << (chunk + i) % 64;
  }
  const uint64_t offset = arcline_pool_offset(
      &pool->places, chunk, rt_pool_has_bit(pool->newer, chunk));
  if (pool->head->n_bytes < offset + n_bytes)
    pool->head->n_bytes = offset + n_bytes;
  return rt_write_at(pool->fd, words, n_bytes, offset);
}

/* Numbers that are added, from word number `first` on. */
struct addition {
  const uint64_t *numbers;
  uint64_t first, n;
  const uint64_t *touched; /* or NULL */
};

/* The part of the addition that is in a chunk: its first word. */
static uint64_t clip(const struct addition *add, uint64_t chunk,
                     uint64_t *end) {
  const uint64_t low = chunk * CHUNK, high = low + CHUNK;
  const uint64_t last = add->first + add->n;

  *end = high < last ? high : last;
  return low > add->first ? low : add->first;
}

static void add_figures(struct rt_pool_figures *figures, uint64_t *words) {
  uint64_t i = ARCLINE_POOL_NOTES;

  while (i < ARCLINE_POOL_FIGURES && words[i] && words[i] != figures->note)
    i++;
  if (i == ARCLINE_POOL_FIGURES)
    return; // of too many kinds of processes
  if (figures->is_note_new)
    words[i] = figures->note;
  else if (words[i])
    for (size_t j = 0; j < ARCLINE_POOL_N_FIGURES; j++)
      words[j] += figures->n[j];
  figures->is_added = words[i] != 0;
}

static bool is_used(const struct addition *add, uint64_t chunk) {
  uint64_t end;
  const size_t first = (size_t)(clip(add, chunk, &end) - add->first);
  const size_t n = (size_t)(end - add->first) - first;

  return !(add->touched &&
           !solve_is_touched(add->touched, first, first + n - 1)) &&
         !rt_are_zero(add->numbers + first, n);
}

static void add_chunk(const struct addition *add, uint64_t chunk,
                      uint64_t *words) {
  uint64_t end;

  for (uint64_t i = clip(add, chunk, &end); i < end; i++)
    words[i - chunk * CHUNK] += add->numbers[i - add->first];
}

int rt_pool_add_words(struct rt_pool *pool, uint64_t first,
                      const uint64_t *numbers, uint64_t n,
                      const uint64_t *touched) {
  const struct addition add = {numbers, first, n, touched};
  const uint64_t end = (first + n - 1) / CHUNK + 1;
  size_t n_added = 0;
  int rc = 0;

  for (uint64_t chunk = first / CHUNK; chunk < end && !rc;) {
    if (!is_used(&add, chunk) && (chunk || !pool->figures)) {
      chunk++;
      continue;
    }
    // More at a time only if there are many: each is a page of the buffer.
    const size_t n_few = 1 + n_added / 4;
    const size_t n_left = (size_t)(end - chunk);
    const size_t n_most =
        rt_pool_stretch(pool, chunk, n_left < n_few ? n_left : n_few);
    size_t n_used = 1;
    while (n_used < n_most && is_used(&add, chunk + n_used))
      n_used++;
    rc = rt_pool_load(pool, chunk, n_used, pool->words);
    for (size_t i = 0; i < n_used && !rc; i++)
      add_chunk(&add, chunk + i, pool->words + i * CHUNK);
    if (!rc && !chunk && pool->figures) {
      add_figures(pool->figures, pool->words);
      pool->figures = NULL;
    }
    if (!rc)
      rc = rt_pool_store(pool, chunk, n_used, pool->words);
    chunk += n_used;
    n_added += n_used;
  }
  return rc;
}

int rt_pool_commit(struct rt_pool *pool) {
  const struct arcline_pool_places *const places = &pool->places;

  pool->head->sequence++;
  pool->head->checksum = arcline_pool_checksum(places, pool->head);
  return rt_write_at(pool->fd, pool->head,
                     (size_t)arcline_pool_used_bytes(places, pool->head),
                     ARCLINE_POOL_HEADS_OFFSET +
                         pool->head->sequence % 2 * places->head_bytes);
}
