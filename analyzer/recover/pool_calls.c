/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recover/pool_calls.h"

#include "base/err.h"
#include "image/image.h"
#include "recover/pool_beside.h"
#include "recover/pool_profile.h"
#include "write/side_text.h"

#include <stdlib.h>
#include <string.h>

static const char end_line[] = "end\n";

static bool has_id(const struct side_entry *entry, const uint8_t *build_id,
                   size_t n_bytes) {
  return entry->n_build_id == n_bytes && n_bytes &&
         memcmp(entry->build_id, build_id, n_bytes) == 0;
}

/** The index of each place in the pool's list among the objects of the side
 * file; the number of these: it has none. */
static void find_indices(const struct pool_file *pool,
                         const struct side_file *side, size_t *index_of) {
  for (uint64_t i = 0; i < pool->head->n_others; i++) {
    size_t j = 0;
    while (j < side->n_entries &&
           !(side->entries[j].file &&
             has_id(&side->entries[j], pool->others[i].build_id,
                    pool->others[i].n_build_id)))
      j++;
    index_of[i + 1] = j;
  }
}

static bool has_index(uint64_t end, const size_t *index_of, size_t n_entries) {
  return !(end & SOLVE_OUTSIDE) || end & SOLVE_OUTSIDE_NAMED ||
         index_of[solve_outside_number(end)] < n_entries;
}

static void put_calls(struct write_sink *sink, const struct pool_file *pool,
                      const struct pool_profile *profile,
                      const struct side_file *side, size_t i_entry) {
  const struct solve_section *const names =
      &profile->data.image.sections[SOLVE_DATA];
  size_t index_of[ARCLINE_POOL_MAX_OTHERS + 1] = {0};

  find_indices(pool, side, index_of);
  for (size_t i = 0; i < profile->crossing.n; i++) {
    const struct solve_arc *const arc = &profile->crossing.arcs[i];
    if (!has_index(arc->from, index_of, side->n_entries) ||
        !has_index(arc->self, index_of, side->n_entries))
      continue;
    write_side_call(sink, i_entry, arc, index_of, ARCLINE_POOL_MAX_OTHERS + 1,
                    arc->self & SOLVE_OUTSIDE_NAMED
                        ? (const char *)names->bytes +
                              solve_outside_name(arc->self)
                        : "");
  }
}

/** Put the calls of a pool that is open, if they are for this side file. */
static int put_pool(struct write_sink *sink, const struct gmon_file *file,
                    const char *image_path, const struct side_file *side,
                    size_t i_entry, struct err *err) {
  struct pool_file pool;
  struct image image;
  struct pool_profile profile;

  if (pool_file_read(file, &pool, err))
    return -1;
  if (!has_id(&side->entries[0], pool.start.program, pool.start.n_program))
    return 0;
  if (image_open(image_path, &image, err))
    return -1;
  const int rc = pool_profile_make(&pool, &image, &profile, err);
  if (rc == 0)
    put_calls(sink, &pool, &profile, side, i_entry);
  pool_profile_release(&profile);
  image_close(&image);
  return rc;
}

static int put_entry(struct write_sink *sink, const struct side_file *side,
                     size_t i_entry, pool_calls_find_image *find, void *context,
                     struct err *err) {
  const struct side_entry *const entry = &side->entries[i_entry];
  const char *image_path = entry->path;
  struct gmon_file file;
  char *path;
  int rc = pool_beside_load(side, entry, &file, &path, err);

  if (rc == 0 && path && find)
    rc = find(context, entry, &image_path, err);
  if (rc == 0 && path && image_path)
    rc = put_pool(sink, &file, image_path, side, i_entry, err);
  gmon_file_release(&file);
  free(path);
  if (rc && err->code == ERR_INPUT) {
    *err = (struct err){0};
    return 0;
  }
  return rc;
}

/** Insert the lines before the last one. */
static int splice(struct side_file *side, const struct write_byte_sink *lines,
                  struct err *err) {
  const size_t n_end = sizeof(end_line) - 1;
  const size_t n_lines = byte_sink_file(lines).n_bytes;
  struct gmon_file *const file = &side->bytes;

  if (!n_lines || file->n_bytes < n_end)
    return 0;
  uint8_t *const bytes = realloc(file->bytes, file->n_bytes + n_lines + 1);
  if (!bytes)
    return err_no_memory(err);
  file->bytes = bytes;
  memcpy(bytes + file->n_bytes - n_end, lines->sink.first, n_lines);
  file->n_bytes += n_lines;
  memcpy(bytes + file->n_bytes - n_end, end_line, n_end);
  return 0;
}

int pool_calls_add(struct side_file *side, pool_calls_find_image *find,
                   void *context, struct err *err) {
  struct write_byte_sink lines = {0};
  int rc = pool_beside_add_figures(side, err);

  if (rc == 0 && byte_sink_begin(&lines))
    rc = err_no_memory(err);
  for (size_t i = 0; i < side->n_entries && rc == 0; i++)
    if (side->entries[i].file)
      rc = put_entry(&lines.sink, side, i, find, context, err);
  if (rc == 0)
    rc = lines.sink.error ? err_no_memory(err) : splice(side, &lines, err);
  byte_sink_release(&lines);
  return rc;
}
