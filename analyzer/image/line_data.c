/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/line_data.h"

#include "arcline/abi.h"
#include "arcline/decisions.h"
#include "arcline/name_hash.h"
#include "base/err.h"
#include "debug/file_table.h"
#include "image/image.h"

#include <string.h>

/** An entry of the section. */
struct entry {
  uint64_t id, files;
  uint32_t n_bytes;
  const uint8_t *bytes;
};

/** Read the entry at `at`. Returns false if it does not fit. */
static bool read_entry(const struct line_data *data, size_t at,
                       struct entry *out) {
  const size_t left = data->n_bytes - at;

  if (left < ARCLINE_LINES_HEAD_BYTES)
    return false;
  memcpy(&out->id, data->bytes + at, sizeof(out->id));
  memcpy(&out->files, data->bytes + at + 8, sizeof(out->files));
  memcpy(&out->n_bytes, data->bytes + at + 16, sizeof(out->n_bytes));
  out->bytes = data->bytes + at + ARCLINE_LINES_HEAD_BYTES;
  return out->n_bytes <= left - ARCLINE_LINES_HEAD_BYTES;
}

static bool find(const struct line_data *data, uint64_t id, struct entry *out) {
  const uint32_t at = map64_find(&data->entries, id);

  return at != MAP64_NONE && read_entry(data, at, out);
}

int line_data_open(const struct image *image, struct line_data *out,
                   struct err *err) {
  struct image_section section;
  struct entry entry;

  *out = (struct line_data){.path = image->path};
  if (!image_find_split_section(image, ARCLINE_SECTION_LINES, &section))
    return err_set(
        err, ERR_INPUT,
        "%s: lines of functions were stripped; name the unstripped image, put "
        "its debug file next to it, or keep section " ARCLINE_SECTION_LINES
        " when stripping",
        image->path);
  out->bytes = section.bytes;
  out->n_bytes = section.n_bytes;
  for (size_t at = 0; at < out->n_bytes;
       at += ARCLINE_LINES_HEAD_BYTES + entry.n_bytes) {
    uint32_t value = (uint32_t)at;
    if (at >= MAP64_NONE || !read_entry(out, at, &entry))
      return err_set(err, ERR_INPUT,
                     "%s: section " ARCLINE_SECTION_LINES
                     " is corrupt at offset %zu; name the image that ran",
                     image->path, at);
    if (map64_find_or_insert(&out->entries, entry.id, &value, err) < 0)
      return -1;
    // All records of a function read its first entry. Entries of other units
    // have other numbers of files, and so perhaps another size.
    struct entry first;
    if (entry.files != ARCLINE_LINES_IS_LIST &&
        entry.files != ARCLINE_LINES_IS_NAME &&
        entry.files != ARCLINE_LINES_IS_DIGESTS &&
        read_entry(out, value, &first))
      out->n_lines_bytes += first.n_bytes;
  }
  return 0;
}

int line_data_list_files(const struct image *image, struct file_table *out,
                         struct err *err) {
  struct image_section section;
  struct entry entry;

  if (!image_find_split_section(image, ARCLINE_SECTION_LINES, &section))
    return 0;
  const struct line_data data = {.bytes = section.bytes,
                                 .n_bytes = section.n_bytes};
  for (size_t at = 0; at < data.n_bytes && read_entry(&data, at, &entry);
       at += ARCLINE_LINES_HEAD_BYTES + entry.n_bytes) {
    const char *name = (const char *)entry.bytes;
    const char *const end = name + entry.n_bytes;
    if (entry.files != ARCLINE_LINES_IS_LIST || name == end || end[-1])
      continue;
    for (; name < end; name += strlen(name) + 1) {
      uint32_t i_file;
      struct err damaged;
      if (*name && file_table_add(out, NULL, name, &i_file, &damaged) != 0 &&
          damaged.code != ERR_INPUT) {
        *err = damaged;
        return -1;
      }
    }
  }
  return 0;
}

static bool is_list(const struct entry *entry) {
  return entry->files == ARCLINE_LINES_IS_LIST && entry->n_bytes > 0 &&
         !entry->bytes[entry->n_bytes - 1];
}

bool line_data_next_digests(const struct line_data *data, size_t *at,
                            struct line_digests *out) {
  struct entry list, digests;

  while (*at < data->n_bytes && read_entry(data, *at, &list)) {
    const bool is_first = map64_find(&data->entries, list.id) == *at;
    *at += ARCLINE_LINES_HEAD_BYTES + list.n_bytes;
    if (!is_first || !is_list(&list) ||
        !find(data, arcline_digests_id(list.id), &digests) ||
        digests.files != ARCLINE_LINES_IS_DIGESTS)
      continue;
    *out = (struct line_digests){(const char *)list.bytes, list.n_bytes,
                                 digests.bytes,
                                 digests.n_bytes / ARCLINE_DIGEST_BYTES};
    return true;
  }
  return false;
}

int line_data_find(const struct line_data *data, uint64_t id,
                   struct line_entry *out, struct err *err) {
  struct entry entry, files;

  if (!find(data, id, &entry) || !find(data, entry.files, &files) ||
      !is_list(&files))
    return err_set(err, ERR_INPUT,
                   "%s: section " ARCLINE_SECTION_LINES
                   " is corrupt: lines of a function are missing",
                   data->path);
  *out = (struct line_entry){{entry.bytes, entry.bytes + entry.n_bytes, 0},
                             (const char *)files.bytes,
                             files.n_bytes};
  return 0;
}

void line_data_find_decisions(const struct line_data *data, uint64_t id,
                              struct arcline_cursor *out) {
  struct entry entry;

  *out = (struct arcline_cursor){0};
  if (find(data, arcline_decisions_id(id), &entry) &&
      entry.files == ARCLINE_LINES_IS_DECISIONS)
    *out = (struct arcline_cursor){entry.bytes, entry.bytes + entry.n_bytes, 0};
}

const char *line_data_name(const struct line_data *data, const char *string,
                           struct err *err) {
  struct entry entry;

  if (!arcline_name_is_short(string))
    return string;
  if (!find(data, arcline_name_hash(string), &entry) ||
      entry.files != ARCLINE_LINES_IS_NAME || !entry.n_bytes ||
      entry.bytes[entry.n_bytes - 1]) {
    err_set(err, ERR_INPUT,
            "%s: section " ARCLINE_SECTION_LINES
            " is corrupt: name of a function is missing",
            data->path);
    return NULL;
  }
  return (const char *)entry.bytes;
}

void line_data_release(struct line_data *data) {
  map64_release(&data->entries);
  *data = (struct line_data){0};
}
