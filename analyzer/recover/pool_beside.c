/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recover/pool_beside.h"

#include "base/err.h"
#include "base/in_file.h"
#include "gmon/pool_file.h"
#include "recover/pool_profile.h"
#include "sum/side_sum.h"
#include "write/side_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Is it a pool? By its first bytes. */
static bool is_pool(const char *path) {
  uint8_t bytes[ARCLINE_POOL_MAGIC_BYTES];
  struct stat status;
  const ssize_t n = in_file_start(path, bytes, sizeof(bytes), &status);
  const struct gmon_file begin = {.bytes = bytes,
                                  .n_bytes = n > 0 ? (size_t)n : 0};

  return pool_is_pool_file(&begin);
}

int pool_beside_load(const struct side_file *side,
                     const struct side_entry *entry, struct gmon_file *out,
                     char **path, struct err *err) {
  const char *const slash = strrchr(side->path, '/');

  *out = (struct gmon_file){0};
  if (asprintf(path, "%.*s%s", slash ? (int)(slash + 1 - side->path) : 0,
               side->path, entry->file) < 0) {
    *path = NULL;
    return err_no_memory(err);
  }
  if (is_pool(*path))
    return gmon_file_load(*path, out, err);
  free(*path);
  *path = NULL;
  return 0;
}

static void *allocate(size_t n_bytes) { return malloc(n_bytes ? n_bytes : 1); }

static void deallocate(void *memory, size_t n_bytes) {
  (void)n_bytes;
  free(memory);
}

/** Put samples without a place, as those of object number i. */
static void put_samples(struct write_sink *sink, size_t i, const char *path,
                        uint64_t n_samples) {
  if (!n_samples)
    return;
  write_side_object(sink, &(const struct write_object){
                              .index = i, .file = "-", .path = path});
  write_side_text(sink, "time");
  write_side_number(sink, i);
  write_side_address(sink, 0);
  write_side_number(sink, n_samples);
  write_side_text(sink, "\n");
}

/** Put the figures as a side file of their own. */
static void put_figures(struct write_sink *sink, const struct side_file *side,
                        const uint64_t *figures) {
  const struct side_entry *const main = &side->entries[0];
  const uint64_t n_unknown = figures[ARCLINE_POOL_UNKNOWN];

  write_side_begin(sink);
  write_side_process(sink, 0, side->program);
  write_side_text(sink, "processes");
  write_side_number(sink, figures[ARCLINE_POOL_PROCESSES]);
  write_side_text(sink, "\n");
  write_side_clock(sink, side->dimension, side->rate_hz);
  if (figures[ARCLINE_POOL_USER_US] || figures[ARCLINE_POOL_SYSTEM_US]) {
    write_side_text(sink, "cpu");
    write_side_number(sink, figures[ARCLINE_POOL_USER_US]);
    write_side_number(sink, figures[ARCLINE_POOL_SYSTEM_US]);
    write_side_text(sink, "\n");
  }
  write_side_object(sink,
                    &(const struct write_object){.build_id = main->build_id,
                                                 .n_build_id = main->n_build_id,
                                                 .file = main->file,
                                                 .path = main->path});
  put_samples(sink, 1, "[unknown]", n_unknown);
  put_samples(sink, 1 + (n_unknown != 0), "[profiler]",
              figures[ARCLINE_POOL_PROFILER]);
  write_side_end(sink);
}

static int add_up(struct side_file *side, const struct write_byte_sink *figures,
                  struct write_byte_sink *sum, struct err *err) {
  const struct sum_file files[2] = {
      {.bytes = side->bytes.bytes, .n_bytes = side->bytes.n_bytes},
      byte_sink_file(figures)};
  const struct sum_side_options options = {.memory = {allocate, deallocate}};
  struct sum_flaw flaw;

  if (figures->sink.error)
    return err_no_memory(err);
  if (sum_side(files, &options, &sum->sink, &flaw) == 0) {
    const struct sum_file bytes = byte_sink_file(sum);
    return side_file_replace(side, bytes.bytes, bytes.n_bytes, err);
  }
  // Damage of the side file is reported when it is read.
  return flaw.reason == SUM_NO_MEMORY || flaw.reason == SUM_CANNOT_WRITE
             ? err_no_memory(err)
             : 0;
}

static int add(struct side_file *side, const uint64_t *figures,
               struct err *err) {
  struct write_byte_sink lines = {0}, sum = {0};
  int rc =
      byte_sink_begin(&lines) || byte_sink_begin(&sum) ? err_no_memory(err) : 0;

  if (rc == 0) {
    put_figures(&lines.sink, side, figures);
    rc = add_up(side, &lines, &sum, err);
  }
  byte_sink_release(&lines);
  byte_sink_release(&sum);
  return rc;
}

static bool is_of(const struct pool_file *pool,
                  const struct side_entry *entry) {
  const struct arcline_live_object *const object = &pool->start.object;

  return entry->n_build_id && entry->n_build_id == object->n_build_id &&
         memcmp(entry->build_id, object->build_id, entry->n_build_id) == 0;
}

/** Read the figures; all zero: there are none. */
static int read_figures(const struct side_file *side, uint64_t *figures,
                        struct err *err) {
  struct gmon_file file;
  struct pool_file pool;
  char *path;
  int rc = pool_beside_load(side, &side->entries[0], &file, &path, err);

  if (rc == 0 && path)
    rc = pool_file_read(&file, &pool, err);
  if (rc == 0 && path && is_of(&pool, &side->entries[0]))
    pool_file_copy(&pool, 0, ARCLINE_POOL_N_FIGURES, figures);
  gmon_file_release(&file);
  free(path);
  if (rc && err->code == ERR_INPUT) {
    *err = (struct err){0};
    rc = 0;
  }
  return rc;
}

int pool_beside_add_figures(struct side_file *side, struct err *err) {
  uint64_t figures[ARCLINE_POOL_N_FIGURES] = {0};
  bool has_any = false;

  if (!side->n_entries || !side->entries[0].file)
    return 0;
  if (read_figures(side, figures, err))
    return -1;
  for (size_t i = 0; i < ARCLINE_POOL_N_FIGURES; i++)
    has_any |= figures[i] != 0;
  return has_any ? add(side, figures, err) : 0;
}
