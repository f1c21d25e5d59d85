/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/dump_pool.h"

#include "gmon/pool_file.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_id(FILE *stream, const uint8_t *id, size_t n_bytes) {
  for (size_t i = 0; i < n_bytes; i++)
    fprintf(stream, "%02x", id[i]);
}

static void print_start(FILE *stream, const struct pool_file *pool) {
  const struct arcline_pool_start *const start = &pool->start;

  fprintf(stream, "pool version=%" PRIu32 " build-id=", start->version);
  print_id(stream, start->object.build_id, start->object.n_build_id);
  fprintf(stream,
          " rate=%" PRIu32 " dimension=%s additions=%" PRIu64 " cells=%" PRIu64
          " sites=%" PRIu64 " path=%s\n",
          start->rate_hz, start->dimension, pool->head->sequence,
          start->object.n_cells, start->object.n_sites, start->object.path);
  for (uint64_t i = 0; i < pool->head->n_others; i++) {
    fprintf(stream, "other n=%" PRIu64 " build-id=", i + 1);
    print_id(stream, pool->others[i].build_id, pool->others[i].n_build_id);
    fputc('\n', stream);
  }
}

static void print_figure(FILE *stream, uint64_t i, uint64_t value) {
  static const char *const names[ARCLINE_POOL_N_FIGURES] = {
      "processes", "user-us", "system-us", "unknown", "profiler"};

  if (i < ARCLINE_POOL_N_FIGURES)
    fprintf(stream, "%s %" PRIu64 "\n", names[i], value);
  else
    fprintf(stream, "note 0x%" PRIx64 "\n", value);
}

/** Print the words that are not 0 of those that are there. */
static void print_words(FILE *stream, const struct pool_file *pool) {
  const struct arcline_live_object *const object = &pool->start.object;
  const uint64_t callees = pool->places.callees;

  for (uint64_t chunk = 0; chunk < pool->places.n_chunks; chunk++) {
    size_t n;
    const uint64_t *const words = pool_file_chunk(pool, chunk, &n);
    for (size_t i = 0; i < n; i++) {
      const uint64_t at = chunk * ARCLINE_POOL_CHUNK_WORDS + i;
      if (!words[i])
        continue;
      if (at < ARCLINE_POOL_FIGURES)
        print_figure(stream, at, words[i]);
      else if (at < ARCLINE_POOL_FIGURES + object->n_cells)
        fprintf(stream, "cell 0x%" PRIx64 " %" PRIu64 "\n",
                object->cells_vaddr +
                    (at - ARCLINE_POOL_FIGURES) * sizeof(uint64_t),
                words[i]);
      else if (at >= callees)
        fprintf(stream, "callee site=%" PRIu64 " %s=0x%" PRIx64 "\n",
                (at - callees) / 2, (at - callees) % 2 ? "second" : "first",
                words[i]);
    }
  }
}

static void print_arc(void *context, const struct arcline_pool_arc *arc) {
  FILE *const stream = context;

  if (arc->from == ARCLINE_POOL_SAMPLES)
    fprintf(stream, "bin 0x%" PRIx64 " %" PRIu64 "\n", arc->self, arc->count);
  else
    fprintf(stream,
            "arc from=0x%" PRIx64 " self=0x%" PRIx64 " count=%" PRIu64 "\n",
            arc->from, arc->self, arc->count);
}

int dump_pool(const struct gmon_file *file, FILE *stream, struct err *err) {
  struct pool_file pool;

  if (pool_file_read(file, &pool, err))
    return -1;
  print_start(stream, &pool);
  print_words(stream, &pool);
  pool_file_each_arc(&pool, print_arc, stream);
  return 0;
}
