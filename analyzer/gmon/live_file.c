/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gmon/live_file.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// More cells than fit any address space; products with it do not overflow.
#define MAX_CELLS ((uint64_t)1 << 45)

// Above all programs. In addresses of calls the bits above have other uses.
#define TEXTS_END ((uint64_t)1 << 48)

#define ARC_BYTES sizeof(struct arcline_live_arc)

enum { MAX_TRIES = 16 };

/** A file that is being read, and its error. */
struct reader {
  struct live_file *file;
  struct err *err;
};

static int damaged(const struct reader *reader, uint32_t i_region,
                   const char *what) {
  return err_set(reader->err, ERR_INPUT,
                 "%s: region %u is corrupt: %s; did another program write to "
                 "the file, or did the machine crash?",
                 reader->file->path, i_region, what);
}

// --- Head ---

/** A text that ends within its array and is a file's name, not a path. */
static bool is_name(const char *text, size_t room) {
  return memchr(text, '\0', room) && !memchr(text, '/', room);
}

/** A process that was killed while it created the file has not counted: it
 * stores the magic last, all bytes at once. Such a file has no regions. */
static bool was_created(const struct arcline_live_head *head) {
  static const char none[ARCLINE_LIVE_MAGIC_BYTES];

  return memcmp(head->magic, none, sizeof(none)) != 0;
}

static int read_head(struct reader *reader) {
  struct live_file *file = reader->file;
  struct arcline_live_head *head = &file->head;
  const size_t n_bytes = file->mapped.n_bytes;

  // Once: the program may still be running.
  if (n_bytes)
    memcpy(head, file->mapped.bytes,
           n_bytes < sizeof(*head) ? n_bytes : sizeof(*head));
  if (!was_created(head)) {
    *head = (struct arcline_live_head){.n_regions = 0};
    return 0;
  }
  if (n_bytes < sizeof(*head))
    return err_set(reader->err, ERR_INPUT,
                   "%s: not a live file, or truncated: %zu bytes, the header "
                   "alone has %zu",
                   file->path, n_bytes, sizeof(*head));
  if (memcmp(head->magic, ARCLINE_LIVE_MAGIC, sizeof(head->magic)) != 0)
    return err_set(reader->err, ERR_INPUT,
                   "%s: not a live file: no \"" ARCLINE_LIVE_MAGIC
                   "\" at offset 0",
                   file->path);
  if (head->byte_order != ARCLINE_LIVE_BYTE_ORDER)
    return err_set(reader->err, ERR_INPUT,
                   "%s: live file has another byte order; recover it on a "
                   "machine like the one that wrote it",
                   file->path);
  if (head->version != ARCLINE_LIVE_VERSION)
    return err_set(
        reader->err, ERR_INPUT,
        "%s: live file has version %u, this arcline reads version %d; use the "
        "arcline that belongs to the runtime of the program",
        file->path, head->version, ARCLINE_LIVE_VERSION);
  if (head->head_bytes != ARCLINE_LIVE_HEAD_BYTES || head->rate_hz == 0 ||
      !is_name(head->name, sizeof(head->name)) || head->name[0] == '\0' ||
      !memchr(head->dimension, '\0', sizeof(head->dimension)) ||
      !memchr(head->program, '\0', sizeof(head->program)))
    return err_set(
        reader->err, ERR_INPUT,
        "%s: header is corrupt; did another program write to the file?",
        file->path);
  if (head->n_regions > ARCLINE_LIVE_MAX_REGIONS)
    head->n_regions = ARCLINE_LIVE_MAX_REGIONS;
  return 0;
}

// --- Regions ---

static bool is_used(const struct arcline_live_region *region) {
  return region->kind != ARCLINE_LIVE_NONE && region->kind != ARCLINE_LIVE_FREE;
}

static int compare_offsets(const void *a, const void *b) {
  const struct arcline_live_region *left = a;
  const struct arcline_live_region *right = b;

  return (left->offset > right->offset) - (left->offset < right->offset);
}

static int check_place(const struct reader *reader, uint32_t i) {
  const struct live_file *file = reader->file;
  const struct arcline_live_region *region = &file->head.regions[i];

  if (region->kind > ARCLINE_LIVE_LOADS)
    return damaged(reader, i, "unknown kind");
  if (region->offset % ARCLINE_LIVE_ALIGN != 0 ||
      region->offset < ARCLINE_LIVE_HEAD_BYTES || region->bytes == 0)
    return damaged(reader, i, "bad offset or size");
  if (region->offset > file->mapped.n_bytes ||
      region->bytes > file->mapped.n_bytes - region->offset)
    return err_set(
        reader->err, ERR_INPUT,
        "%s: truncated: region %u extends %ju bytes past the end of the file",
        file->path, i,
        (uintmax_t)(region->offset + region->bytes - file->mapped.n_bytes));
  return 0;
}

/** Check that no byte is used twice; so the bytes read in total are at most the
 * file's. */
static int check_overlaps(const struct reader *reader) {
  const struct arcline_live_head *head = &reader->file->head;
  struct arcline_live_region *sorted =
      reallocarray(NULL, head->n_regions + 1, sizeof(*sorted));
  size_t n = 0;
  int rc = 0;

  if (!sorted)
    return err_no_memory(reader->err);
  for (size_t i = 0; i < head->n_regions; i++)
    if (is_used(&head->regions[i]))
      sorted[n++] = head->regions[i];
  qsort(sorted, n, sizeof(*sorted), compare_offsets);
  for (size_t i = 1; i < n && rc == 0; i++)
    if (sorted[i].offset - sorted[i - 1].offset < sorted[i - 1].bytes)
      rc = err_set(reader->err, ERR_INPUT,
                   "%s: corrupt: two regions overlap at offset %ju",
                   reader->file->path, (uintmax_t)sorted[i].offset);
  free(sorted);
  return rc;
}

// --- Objects ---

static bool has_sound_texts(const struct arcline_live_object *record) {
  uint64_t end = 0;

  if (record->n_texts == 0 || record->n_texts > ARCLINE_LIVE_MAX_TEXTS ||
      (record->bin_bytes != 2 && record->bin_bytes != 4))
    return false;
  for (uint32_t i = 0; i < record->n_texts; i++) {
    const uint64_t low = record->texts[i].low_vaddr;
    const uint64_t high = record->texts[i].high_vaddr;
    if (low < end || high <= low || high > TEXTS_END ||
        low % record->bin_bytes != 0 || high % record->bin_bytes != 0)
      return false;
    end = high;
  }
  return true;
}

const char *live_record_flaw(const struct arcline_live_object *record) {
  if (!is_name(record->suffix, sizeof(record->suffix)) ||
      (record->suffix[0] != '\0' && record->suffix[0] != '.') ||
      !memchr(record->path, '\0', sizeof(record->path)))
    return "bad name";
  // The tables to be made have room for the largest number.
  if (record->n_cells > MAX_CELLS || record->n_sites > MAX_CELLS ||
      record->number > ARCLINE_LIVE_MAX_NUMBER)
    return "size or number is too large";
  if (record->n_build_id > ARCLINE_LIVE_BUILD_ID_BYTES)
    return "build ID is too long";
  return has_sound_texts(record) ? NULL : "bad list of texts";
}

/** Read the record of an object; *is_used: it was loaded at some time. */
static int read_object(const struct reader *reader, uint32_t i_region,
                       struct live_object *out, bool *is_used_out) {
  const struct live_file *file = reader->file;
  const struct arcline_live_region *region = &file->head.regions[i_region];

  *out = (struct live_object){.region = i_region};
  if (region->bytes < sizeof(out->record))
    return damaged(reader, i_region, "too small for an object");
  memcpy(&out->record, file->mapped.bytes + region->offset,
         sizeof(out->record));
  *is_used_out = out->record.load != 0;
  if (!*is_used_out)
    return 0;
  const char *const flaw = live_record_flaw(&out->record);
  return flaw ? damaged(reader, i_region, flaw) : 0;
}

static int read_objects(struct reader *reader) {
  struct live_file *file = reader->file;

  file->objects = calloc(file->head.n_regions + 1, sizeof(*file->objects));
  if (!file->objects)
    return err_no_memory(reader->err);
  for (uint32_t i = 0; i < file->head.n_regions; i++) {
    struct live_object *object = &file->objects[file->n_objects];
    bool is_loaded = false;
    if (file->head.regions[i].kind != ARCLINE_LIVE_OBJECT)
      continue;
    if (read_object(reader, i, object, &is_loaded) != 0)
      return -1;
    if (!is_loaded)
      continue;
    for (size_t j = 0; j < file->n_objects; j++)
      if (file->objects[j].record.number == object->record.number)
        return damaged(reader, i, "number is used by another object");
    file->n_objects++;
  }
  return 0;
}

/** Copy the baseline of an object. */
static int read_baseline(const struct reader *reader, size_t i_object) {
  const struct live_file *file = reader->file;
  struct live_object *object = &file->objects[i_object];
  const uint64_t i_region = object->record.baseline - 1;
  uint64_t first_load = 0;

  if (object->record.baseline != 0) {
    const struct arcline_live_region *region =
        i_region < file->head.n_regions ? &file->head.regions[i_region] : NULL;
    if (!region || region->kind != ARCLINE_LIVE_BASELINE ||
        region->object != object->region ||
        region->bytes < sizeof(*object->baseline))
      return damaged(reader, object->region, "baseline is missing");
    object->baseline = malloc(region->bytes);
    if (!object->baseline)
      return err_no_memory(reader->err);
    memcpy(object->baseline, file->mapped.bytes + region->offset,
           region->bytes);
    const struct arcline_live_baseline *baseline = object->baseline;
    const uint64_t room = region->bytes - sizeof(*baseline);
    if (baseline->n_cells != object->record.n_cells ||
        baseline->n_cells > room / sizeof(uint64_t) ||
        baseline->n_arcs >
            (room - baseline->n_cells * sizeof(uint64_t)) / ARC_BYTES)
      return damaged(reader, (uint32_t)i_region, "bad sizes");
    first_load = baseline->first_load;
  }
  object->is_loaded = object->record.load >= first_load;
  return 0;
}

// --- Counts of objects ---

static int add_bins(const struct reader *reader, uint32_t i_region,
                    struct live_object *object) {
  const struct arcline_live_region *region =
      &reader->file->head.regions[i_region];
  const uint8_t *bytes = reader->file->mapped.bytes + region->offset;
  const uint64_t i = region->detail;

  if (i >= object->record.n_texts || object->bins[i])
    return damaged(reader, i_region, "belongs to no text");
  const uint64_t n_bins =
      (object->record.texts[i].high_vaddr - object->record.texts[i].low_vaddr) /
      object->record.bin_bytes;
  if (n_bins > region->bytes / sizeof(uint64_t) ||
      n_bins / ARCLINE_LIVE_CHUNK_BINS + 1 >
          region->bytes - n_bins * sizeof(uint64_t))
    return damaged(reader, i_region, "too small for its text");
  object->bins[i] = (const uint64_t *)bytes;
  object->touched[i] = bytes + n_bins * sizeof(uint64_t);
  return 0;
}

static int add_early(const struct reader *reader, uint32_t i_region,
                     struct live_object *object) {
  const struct arcline_live_region *region =
      &reader->file->head.regions[i_region];
  const uint8_t *bytes = reader->file->mapped.bytes + region->offset;
  const uint64_t n_cells_bytes = object->record.n_cells * sizeof(uint64_t);

  if (object->early_cells)
    return damaged(reader, i_region, "object has another region of this kind");
  if (n_cells_bytes > region->bytes)
    return damaged(reader, i_region, "too small for its object");
  object->early_cells = (const uint64_t *)bytes;
  object->early = (struct live_table){
      .arcs = (const struct arcline_live_arc *)(bytes + n_cells_bytes),
      .n = (region->bytes - n_cells_bytes) / ARC_BYTES};
  return 0;
}

/** Add one region to the counts of its object. */
static int add_region(const struct reader *reader, uint32_t i_region,
                      size_t i_object) {
  const struct live_file *file = reader->file;
  const struct arcline_live_region *region = &file->head.regions[i_region];
  struct live_object *object = &file->objects[i_object];
  const uint8_t *bytes = file->mapped.bytes + region->offset;

  switch (region->kind) {
  case ARCLINE_LIVE_CELLS:
    if (region->bytes / sizeof(uint64_t) < object->record.n_cells)
      return damaged(reader, i_region, "too small for its object");
    object->copies[object->n_copies++] = (const uint64_t *)bytes;
    return 0;
  case ARCLINE_LIVE_ARCS:
    object->tables[object->n_tables++] =
        (struct live_table){.arcs = (const struct arcline_live_arc *)bytes,
                            .n = region->bytes / ARC_BYTES};
    return 0;
  case ARCLINE_LIVE_BINS:
    return add_bins(reader, i_region, object);
  case ARCLINE_LIVE_EARLY:
    return add_early(reader, i_region, object);
  case ARCLINE_LIVE_CALLEES:
    if (object->callees)
      return damaged(reader, i_region,
                     "object has another region of this kind");
    if (region->bytes / sizeof(*object->callees) < object->record.n_sites)
      return damaged(reader, i_region, "too small for its object");
    object->callees = (const struct arcline_live_callees *)bytes;
    return 0;
  case ARCLINE_LIVE_LOADS:
    object->biases = (const uint64_t *)bytes;
    object->n_biases = region->bytes / sizeof(*object->biases);
    return 0;
  default:
    return 0;
  }
}

static int read_counts(const struct reader *reader, size_t i_object) {
  const struct live_file *file = reader->file;
  const size_t n_regions = file->head.n_regions;
  struct live_object *object = &file->objects[i_object];
  size_t n = 0;

  for (size_t i = 0; i < n_regions; i++)
    n += file->head.regions[i].object == object->region;
  object->copies = reallocarray(NULL, n + 1, sizeof(*object->copies));
  object->tables = reallocarray(NULL, n + 1, sizeof(*object->tables));
  if (!object->copies || !object->tables)
    return err_no_memory(reader->err);
  for (uint32_t i = 0; i < n_regions; i++)
    if (is_used(&file->head.regions[i]) &&
        file->head.regions[i].object == object->region &&
        add_region(reader, i, i_object) != 0)
      return -1;
  return read_baseline(reader, i_object);
}

static int read_all(struct reader *reader) {
  const struct live_file *file = reader->file;

  if (read_head(reader) != 0)
    return -1;
  for (uint32_t i = 0; i < file->head.n_regions; i++)
    if (is_used(&file->head.regions[i]) && check_place(reader, i) != 0)
      return -1;
  if (check_overlaps(reader) != 0 || read_objects(reader) != 0)
    return -1;
  for (size_t i = 0; i < file->n_objects; i++)
    if (read_counts(reader, i) != 0)
      return -1;
  return 0;
}

/** Has the program replaced regions, or added some, since the head was read?
 * Then records may refer to regions that the head did not list. */
static bool has_changed(const struct live_file *file) {
  const struct arcline_live_head *head = &file->head;
  const size_t at = offsetof(struct arcline_live_head, regions);
  const size_t n_bytes = file->mapped.n_bytes;
  struct stat status;

  return (file->mapped.bytes && stat(file->path, &status) == 0 &&
          (uint64_t)status.st_size > n_bytes) ||
         (n_bytes >= sizeof(*head) &&
          memcmp(head->regions, file->mapped.bytes + at,
                 sizeof(head->regions)) != 0);
}

int live_file_open(const char *path, struct live_file *out, struct err *err) {
  struct reader reader = {.file = out, .err = err};

  for (int i = 0; i < MAX_TRIES; i++) {
    memset(out, 0, sizeof(*out));
    out->path = path;
    if (mapped_file_open(path, 0, &out->mapped, err) == 0 &&
        read_all(&reader) == 0)
      return 0;
    // Twice: the entries of the next change may be as they were before.
    const bool is_final = i > 0 && !has_changed(out);
    live_file_close(out);
    if (is_final)
      break;
  }
  return -1;
}

void live_file_close(struct live_file *file) {
  for (size_t i = 0; i < file->n_objects; i++) {
    free(file->objects[i].copies);
    free(file->objects[i].tables);
    free(file->objects[i].baseline);
  }
  free(file->objects);
  mapped_file_close(&file->mapped);
  memset(file, 0, sizeof(*file));
}
