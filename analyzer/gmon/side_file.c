/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gmon/side_file.h"

#include "base/array.h"
#include "base/err.h"

#include <stdlib.h>
#include <string.h>

size_t side_stem_length(const char *name, size_t n) {
  const size_t n_suffix = strlen(SIDE_SUFFIX);

  return n > n_suffix && memcmp(name + n - n_suffix, SIDE_SUFFIX, n_suffix) == 0
             ? n - n_suffix
             : n;
}

static int add_entry(struct side_file *side, const struct side_record *record,
                     struct err *err) {
  struct side_entry *const entries = array_grow(
      side->entries, side->n_entries, &side->max_entries, sizeof(*entries));
  if (!entries)
    return err_no_memory(err);
  side->entries = entries;
  struct side_entry *const entry = &entries[side->n_entries];
  *entry = (struct side_entry){.path = strdup(record->path),
                               .n_build_id = record->n_build_id};
  memcpy(entry->build_id, record->build_id, sizeof(entry->build_id));
  if (record->file)
    entry->file = strdup(record->file);
  side->n_entries++;
  return entry->path && (entry->file || !record->file) ? 0 : err_no_memory(err);
}

static int add_record(struct side_file *side, const struct side_record *record,
                      struct err *err) {
  switch (record->form->kind) {
  case SIDE_PROCESS:
    side->pid = record->process.pid;
    free(side->program);
    side->program = strdup(record->name);
    return side->program ? 0 : err_no_memory(err);
  case SIDE_PROCESSES:
    side->n_processes = record->count;
    return 0;
  case SIDE_CPU:
    side->user_us += record->cpu.user_us;
    side->system_us += record->cpu.system_us;
    return 0;
  case SIDE_CLOCK:
    side->rate_hz = record->clock.rate_hz;
    strncpy(side->dimension, record->name, GMON_DIMENSION_BYTES);
    return 0;
  case SIDE_OBJECT:
    return add_entry(side, record, err);
  case SIDE_TIME:
    side->entries[record->time.i_object].n_samples += record->time.n_samples;
    return 0;
  case SIDE_FRAME:
    side->entries[record->frame.i_object].has_frames = true;
    return 0;
  case SIDE_THREAD_NAME:
    side->has_first_name |= record->thread.tid == side->pid;
    return 0;
  default:
    return 0;
  }
}

static int read_all(struct side_file *side, struct err *err) {
  struct side_reader reader;
  struct side_record record;
  int rc = 0;
  side_reader_begin(&reader, &side->bytes, err);
  while (rc == 0 && side_reader_next(&reader, &record))
    rc = add_record(side, &record, err);
  return side_reader_end(&reader) ? -1 : rc;
}

int side_file_load(const char *path, struct side_file *out, struct err *err) {
  *out = (struct side_file){
      .path = strdup(path), .program = strdup(""), .n_processes = 1};
  if (!out->path || !out->program) {
    side_file_release(out);
    return err_no_memory(err);
  }
  if (gmon_file_load(out->path, &out->bytes, err) || read_all(out, err)) {
    side_file_release(out);
    return -1;
  }
  return 0;
}

static void release_entries(struct side_file *side) {
  for (size_t i = 0; i < side->n_entries; i++) {
    free(side->entries[i].path);
    free(side->entries[i].file);
  }
  free(side->entries);
  side->entries = NULL;
  side->n_entries = side->max_entries = 0;
}

int side_file_replace(struct side_file *side, const uint8_t *bytes,
                      size_t n_bytes, struct err *err) {
  uint8_t *const copy = malloc(n_bytes);

  if (!copy)
    return err_no_memory(err);
  memcpy(copy, bytes, n_bytes);
  gmon_file_release(&side->bytes);
  side->bytes =
      (struct gmon_file){.path = side->path, .bytes = copy, .n_bytes = n_bytes};
  release_entries(side);
  side->user_us = side->system_us = 0;
  return read_all(side, err);
}

/** Take what a file of the same objects has in other records than these. */
static void take_figures(struct side_file *side, struct side_file *from) {
  for (size_t i = 0; i < side->n_entries; i++) {
    side->entries[i].n_samples = from->entries[i].n_samples;
    side->entries[i].has_frames = from->entries[i].has_frames;
  }
  side->user_us = from->user_us;
  side->system_us = from->system_us;
}

int side_file_refill(struct side_file *side, const uint8_t *bytes,
                     size_t n_bytes, struct err *err) {
  struct side_file filled = {.path = strdup(side->path), .program = strdup("")};
  int rc = filled.path && filled.program
               ? side_file_replace(&filled, bytes, n_bytes, err)
               : err_no_memory(err);

  if (rc == 0) {
    const struct gmon_file old = side->bytes;
    take_figures(side, &filled);
    side->bytes = filled.bytes;
    side->bytes.path = side->path;
    filled.bytes = old;
  }
  side_file_release(&filled);
  return rc;
}

const char *side_file_thread_name(const struct side_file *side, uint64_t tid) {
  return side->pid && tid == side->pid && !side->has_first_name ? side->program
                                                                : NULL;
}

void side_file_release(struct side_file *side) {
  release_entries(side);
  gmon_file_release(&side->bytes);
  free(side->program);
  free(side->path);
  *side = (struct side_file){0};
}
