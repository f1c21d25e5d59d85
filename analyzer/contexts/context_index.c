/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "contexts/context_index.h"

#include "base/array.h"
#include "base/byte_reader.h"
#include "base/decompress.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
  MAX_PLAIN = 1 << 28,
  MAX_RATIO = 1032, // of zlib's format
};

static int damaged(const struct context_index *index, size_t at,
                   const char *what, struct err *err) {
  return err_set(err, ERR_INPUT,
                 "%s: corrupt at byte %zu: %s; remove the file and run the "
                 "tests again",
                 index->file.path, at, what);
}

//===--- Records ----------------------------------------------------------===//

/** A record in the file. */
struct record {
  struct arcline_context_head head;
  size_t at; // of the head
  const uint8_t *name, *bytes;
};

enum found { FOUND_NONE, FOUND_RECORD, FOUND_DAMAGED };

static uint32_t read_u32(struct byte_reader *reader) {
  return (uint32_t)byte_reader_uint(reader, 4);
}

static void read_head(struct byte_reader *reader,
                      struct arcline_context_head *out) {
  out->head_checksum = read_u32(reader);
  out->kind = read_u32(reader);
  out->object = read_u32(reader);
  out->n_name = read_u32(reader);
  out->n_bytes = read_u32(reader);
  out->n_plain = read_u32(reader);
  out->checksum = read_u32(reader);
  out->state = byte_reader_uint(reader, 8);
}

/** A record that is cut off is none: the process that wrote it was killed. */
static enum found find_record(const struct context_index *index, size_t at,
                              struct record *out) {
  const uint8_t *const first = index->file.bytes + at;
  struct byte_reader reader = {.at = first,
                               .end = index->file.bytes + index->file.n_bytes};
  struct arcline_context_head *const head = &out->head;

  read_head(&reader, head);
  if (reader.has_failed)
    return FOUND_NONE;
  if (crc32_z(0, first + 4, ARCLINE_CONTEXT_HEAD_BYTES - 4) !=
      head->head_checksum)
    return FOUND_DAMAGED;
  out->at = at;
  out->name = reader.at;
  byte_reader_skip(&reader, head->n_name);
  out->bytes = reader.at;
  byte_reader_skip(&reader, head->n_bytes);
  if (reader.has_failed)
    return FOUND_NONE;
  return crc32_z(0, out->name, (size_t)head->n_name + head->n_bytes) ==
                     head->checksum &&
                 !memchr(out->name, '\0', head->n_name)
             ? FOUND_RECORD
             : FOUND_DAMAGED;
}

static size_t record_end(const struct context_index *index,
                         const struct record *record) {
  return (size_t)(record->bytes - index->file.bytes) + record->head.n_bytes;
}

//===--- Objects ----------------------------------------------------------===//

/** Smallest descriptions of parts of an object, in bytes. */
enum { MIN_FILE = 2, MIN_LINE = 2, MIN_FUNC = 5 };

/** A number of elements that have at least min_bytes each. */
static size_t read_count(struct byte_reader *reader, size_t min_bytes) {
  const uint64_t n = byte_reader_leb(reader, false);

  if (n <= byte_reader_left(reader) / min_bytes && n < UINT32_MAX)
    return (size_t)n;
  reader->has_failed = true;
  return 0;
}

static const char *read_string(struct byte_reader *reader) {
  const char *const text = byte_reader_string(reader);

  return text ? text : "";
}

static struct context_line read_line(struct byte_reader *reader,
                                     const struct context_object *object) {
  const uint64_t i_file = byte_reader_leb(reader, false);
  const uint64_t line = byte_reader_leb(reader, false);

  reader->has_failed |= i_file >= object->n_files || line > UINT32_MAX;
  return reader->has_failed
             ? (struct context_line){0}
             : (struct context_line){(uint32_t)i_file, (uint32_t)line};
}

static void read_func(struct byte_reader *reader,
                      const struct context_object *object, uint64_t *next_line,
                      struct context_func *out) {
  out->name = read_string(reader);
  out->is_made = byte_reader_leb(reader, false) & 1;
  out->pos = read_line(reader, object);
  const uint64_t n = byte_reader_leb(reader, false);
  out->first_line = (uint32_t)*next_line;
  reader->has_failed |= n > object->n_lines - *next_line;
  out->n_lines = reader->has_failed ? 0 : (uint32_t)n;
  *next_line += out->n_lines;
}

/** Make an array of as many elements as the next number. Returns NULL: no
 * memory. */
static void *make_array(struct byte_reader *reader, size_t min_bytes,
                        size_t size, size_t *n) {
  *n = read_count(reader, min_bytes);
  return array_zeroed(*n + 1, size);
}

/** Returns 0, or -1: no memory. */
static int read_parts(struct byte_reader *reader, struct context_object *out) {
  uint64_t next_line = 0;

  out->n_build_id = read_count(reader, 1);
  out->build_id = reader->at;
  byte_reader_skip(reader, out->n_build_id);
  out->has_lines = byte_reader_leb(reader, false) & ARCLINE_CONTEXT_HAS_LINES;
  out->files = make_array(reader, MIN_FILE, sizeof(*out->files), &out->n_files);
  for (size_t i = 0; out->files && i < out->n_files; i++) {
    out->files[i].path = read_string(reader);
    out->files[i].version = read_string(reader);
  }
  out->lines = make_array(reader, MIN_LINE, sizeof(*out->lines), &out->n_lines);
  for (size_t i = 0; out->lines && i < out->n_lines; i++)
    out->lines[i] = read_line(reader, out);
  out->funcs = make_array(reader, MIN_FUNC, sizeof(*out->funcs), &out->n_funcs);
  for (size_t i = 0; out->funcs && i < out->n_funcs; i++)
    read_func(reader, out, &next_line, &out->funcs[i]);
  return out->files && out->lines && out->funcs ? 0 : -1;
}

static void release_object(struct context_object *object) {
  free(object->owned_path);
  free(object->plain);
  free(object->files);
  free(object->funcs);
  free(object->lines);
}

/** Decompress a record. Returns NULL with *err set. */
static uint8_t *decompress(const struct context_index *index,
                           const struct record *record, struct err *err) {
  const size_t n = record->head.n_plain;

  if (n > MAX_PLAIN || n / MAX_RATIO > record->head.n_bytes) {
    damaged(index, record->at, "too large", err);
    return NULL;
  }
  uint8_t *const plain = malloc(n + 1);
  if (!plain) {
    err_no_memory(err);
    return NULL;
  }
  if (decompress_zlib(record->bytes, record->head.n_bytes, plain, n))
    return plain;
  free(plain);
  damaged(index, record->at, "cannot decompress", err);
  return NULL;
}

static int add_object(struct context_index *index, const struct record *record,
                      struct err *err) {
  struct context_object *const objects = array_grow(
      index->objects, index->n_objects, &index->max_objects, sizeof(*objects));

  if (!objects)
    return err_no_memory(err);
  index->objects = objects;
  struct context_object *const object = &objects[index->n_objects++];
  *object = (struct context_object){.plain = decompress(index, record, err),
                                    .n_plain = record->head.n_plain};
  if (!object->plain)
    return -1;
  struct byte_reader reader = {.at = object->plain,
                               .end = object->plain + record->head.n_plain};
  object->owned_path = strndup((const char *)record->name, record->head.n_name);
  object->path = object->owned_path;
  if (!object->path || read_parts(&reader, object))
    return err_no_memory(err);
  return reader.has_failed || reader.at != reader.end
             ? damaged(index, record->at, "bad description of an object", err)
             : 0;
}

size_t context_object_first_line(const struct context_object *object) {
  return (object->n_funcs + 7) / 8 * 8;
}

size_t context_object_bytes(const struct context_object *object) {
  return context_object_first_line(object) / 8 +
         (object->has_lines ? (object->n_lines + 7) / 8 : 0);
}

size_t context_index_find(const struct context_index *index,
                          const uint8_t *build_id, size_t n_build_id) {
  for (size_t i = 0; i < index->n_objects; i++)
    if (n_build_id == index->objects[i].n_build_id &&
        memcmp(build_id, index->objects[i].build_id, n_build_id) == 0)
      return i;
  return SIZE_MAX;
}

//===--- Runs -------------------------------------------------------------===//

static int add_run(struct context_index *index, const struct record *record,
                   struct err *err) {
  struct context_run *const runs =
      array_grow(index->runs, index->n_runs, &index->max_runs, sizeof(*runs));

  if (!runs)
    return err_no_memory(err);
  index->runs = runs;
  if (record->head.object >= index->n_objects ||
      record->head.n_plain !=
          context_object_bytes(&index->objects[record->head.object]))
    return damaged(index, record->at, "run of an unknown object", err);
  runs[index->n_runs++] = (struct context_run){
      .i_name = record->head.n_name, // its length until all are read
      .i_object = record->head.object,
      .state = record->head.state,
      .first_byte = (size_t)(record->bytes - index->file.bytes),
      .n_bytes = record->head.n_bytes};
  return 0;
}

static int read_records(struct context_index *index, struct err *err) {
  struct record record;
  size_t at = ARCLINE_CONTEXT_START_BYTES;

  enum found found;

  while ((found = find_record(index, at, &record)) == FOUND_RECORD) {
    const uint32_t kind = record.head.kind;
    if (kind != ARCLINE_CONTEXT_OBJECT && kind != ARCLINE_CONTEXT_RUN)
      return damaged(index, at, "unknown record", err);
    if (kind == ARCLINE_CONTEXT_OBJECT ? add_object(index, &record, err)
                                       : add_run(index, &record, err))
      return -1;
    at = record_end(index, &record);
  }
  index->n_valid = at;
  return found == FOUND_DAMAGED ? damaged(index, at, "bad checksum", err) : 0;
}

/** The build of each path that the last run is of is current. */
static void find_current(struct context_index *index) {
  for (size_t i = index->n_runs; i-- > 0;) {
    struct context_object *const object =
        &index->objects[index->runs[i].i_object];
    bool is_stale = object->is_current;
    for (size_t k = 0; !is_stale && k < index->n_objects; k++)
      is_stale = index->objects[k].is_current &&
                 strcmp(index->objects[k].path, object->path) == 0;
    object->is_current |= !is_stale;
  }
}

/** Make the list of names, and the index of each run's. */
static int read_names(struct context_index *index, struct err *err) {
  index->owned = calloc(index->n_runs + 1, sizeof(*index->owned));
  index->names = calloc(index->n_runs + 1, sizeof(*index->names));
  if (!index->owned || !index->names)
    return err_no_memory(err);
  for (size_t i = 0; i < index->n_runs; i++) {
    const size_t n = index->runs[i].i_name;
    const uint8_t *const end = index->file.bytes + index->runs[i].first_byte;
    index->owned[i] = strndup((const char *)end - n, n);
    if (!index->owned[i])
      return err_no_memory(err);
    if (n > 0)
      index->names[index->n_names++] = index->owned[i];
  }
  if (merge_sort(index->names, index->n_names, sizeof(*index->names),
                 sorted_compare_names, NULL) != 0)
    return err_no_memory(err);
  size_t n = 0;
  for (size_t i = 0; i < index->n_names; i++)
    if (n == 0 || strcmp(index->names[n - 1], index->names[i]) != 0)
      index->names[n++] = index->names[i];
  index->n_names = n;
  for (size_t i = 0; i < index->n_runs; i++)
    index->runs[i].i_name =
        index->runs[i].i_name == 0
            ? CONTEXT_NO_NAME
            : (uint32_t)sorted_find(index->names, n, sizeof(*index->names),
                                    &index->owned[i], sorted_compare_names,
                                    NULL);
  return 0;
}

static int compare_runs(const void *left, const void *right,
                        const void *context) {
  const struct context_run *const a = left, *const b = right;

  (void)context;
  if (a->i_name != b->i_name)
    return a->i_name < b->i_name ? -1 : 1;
  return (a->i_object > b->i_object) - (a->i_object < b->i_object);
}

static int check_start(const struct context_index *index, struct err *err) {
  static const char magic[ARCLINE_CONTEXT_MAGIC_BYTES] = ARCLINE_CONTEXT_MAGIC;
  const size_t n_bytes = index->file.n_bytes;
  struct byte_reader reader = {.at = index->file.bytes + sizeof(magic),
                               .end = index->file.bytes + n_bytes};

  if (memcmp(index->file.bytes, magic,
             n_bytes < sizeof(magic) ? n_bytes : sizeof(magic)) != 0)
    return err_set(err, ERR_INPUT, "%s: not an index of contexts",
                   index->file.path);
  if (n_bytes < ARCLINE_CONTEXT_START_BYTES)
    return 0; // the process that began it was killed
  const uint32_t version = read_u32(&reader);
  return version == ARCLINE_CONTEXT_VERSION
             ? 0
             : err_set(err, ERR_INPUT,
                       "%s: index of contexts has version %u, this arcline "
                       "reads version %d; remove the file and run the tests "
                       "again",
                       index->file.path, version, ARCLINE_CONTEXT_VERSION);
}

static int read_all(struct context_index *index, struct err *err) {
  if (check_start(index, err) != 0)
    return -1;
  if (index->file.n_bytes < ARCLINE_CONTEXT_START_BYTES)
    return 0;
  if (read_records(index, err) != 0 || read_names(index, err) != 0)
    return -1;
  find_current(index);
  return merge_sort(index->runs, index->n_runs, sizeof(*index->runs),
                    compare_runs, NULL) == 0
             ? 0
             : err_no_memory(err);
}

int context_index_read(const char *path, struct context_index *out,
                       struct err *err) {
  *out = (struct context_index){0};
  if (access(path, F_OK) != 0)
    return 0;
  if (gmon_file_load(path, &out->file, err) != 0)
    return -1;
  if (read_all(out, err) == 0)
    return 0;
  context_index_release(out);
  return -1;
}

//===--- Visits -----------------------------------------------------------===//

static int read_bits(const struct context_index *index,
                     const struct context_run *run, uint8_t *out, size_t n,
                     struct err *err) {
  return decompress_zlib(index->file.bytes + run->first_byte, run->n_bytes, out,
                         n)
             ? 0
             : damaged(index, run->first_byte, "cannot decompress", err);
}

/** Read the bits of runs of one context and object. *end: index after them. */
static int read_group(const struct context_index *index, size_t first,
                      size_t *end, uint8_t *bits, uint8_t *more,
                      struct err *err) {
  const struct context_run *const run = &index->runs[first];
  const size_t n = context_object_bytes(&index->objects[run->i_object]);

  if (read_bits(index, run, bits, n, err) != 0)
    return -1;
  for (*end = first + 1; *end < index->n_runs; ++*end) {
    if (compare_runs(run, &index->runs[*end], NULL) != 0)
      break;
    if (read_bits(index, &index->runs[*end], more, n, err) != 0)
      return -1;
    for (size_t i = 0; i < n; i++)
      bits[i] |= more[i];
  }
  return 0;
}

int context_index_visit(const struct context_index *index, context_visit *visit,
                        void *context, struct err *err) {
  size_t most = 0;
  int rc = 0;

  for (size_t i = 0; i < index->n_objects; i++)
    if (context_object_bytes(&index->objects[i]) > most)
      most = context_object_bytes(&index->objects[i]);
  uint8_t *const bits = malloc(2 * (most + 1));
  if (!bits)
    return err_no_memory(err);
  for (size_t i = 0, end; rc == 0 && i < index->n_runs; i = end) {
    rc = read_group(index, i, &end, bits, bits + most + 1, err);
    if (rc == 0)
      rc = visit(context, &index->runs[end - 1], bits, err);
  }
  free(bits);
  return rc;
}

void context_index_release(struct context_index *index) {
  for (size_t i = 0; i < index->n_objects; i++)
    release_object(&index->objects[i]);
  for (size_t i = 0; index->owned && i < index->n_runs; i++)
    free(index->owned[i]);
  free(index->owned);
  free(index->names);
  free(index->objects);
  free(index->runs);
  gmon_file_release(&index->file);
  *index = (struct context_index){0};
}
