/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "image/const_data.h"

#include "arcline/abi.h"
#include "base/err.h"

#include <stdio.h>

static void find(const struct image *image, const char *name,
                 struct image_section *out) {
  if (!image_find_section(image, name, out))
    *out = (struct image_section){.name = name};
}

void const_data_init(struct const_data *data, const struct image *image,
                     struct err *err) {
  *data = (struct const_data){.image = image, .err = err};
  find(image, ARCLINE_SECTION_FUNCS, &data->funcs);
  find(image, ARCLINE_SECTION_BODIES, &data->bodies);
  find(image, ARCLINE_SECTION_COPIES, &data->copies);
  find(image, ARCLINE_SECTION_CELLS, &data->cells);
  find(image, ARCLINE_SECTION_DATA, &data->data);
  find(image, ARCLINE_SECTION_ADDRS, &data->addrs);
  data->n_left = data->data.n_bytes;
}

int const_data_records(const struct const_data *data,
                       const struct image_section *section, const char *name,
                       size_t record_bytes, const char *what,
                       struct const_records *out) {
  if (section->n_bytes % record_bytes != 0)
    return err_set(data->err, ERR_INPUT,
                   "%s: section %s has %zu bytes, not a multiple of %zu",
                   data->image->path, name, section->n_bytes, record_bytes);
  *out = (struct const_records){.section = section,
                                .record_bytes = record_bytes,
                                .n = section->n_bytes / record_bytes,
                                .what = what};
  return 0;
}

int const_data_damaged(const struct const_data *data,
                       const struct const_record *record, const char *what) {
  return err_set(data->err, ERR_INPUT,
                 "%s: constant data of %s record %zu is damaged: %s",
                 data->image->path, record->in->what, record->i, what);
}

uint64_t const_data_number(const struct const_data *data,
                           const struct const_record *record, size_t off,
                           unsigned n_bytes) {
  const uint8_t *bytes =
      record->in->section->bytes + record->i * record->in->record_bytes + off;
  uint64_t value = 0;

  for (unsigned i = 0; i < n_bytes; i++)
    value =
        value << 8 | bytes[data->image->is_big_endian ? i : n_bytes - 1 - i];
  return value;
}

uint64_t const_data_target(const struct const_data *data,
                           const struct const_record *record, size_t off) {
  const int64_t distance = (int32_t)const_data_u32(data, record, off);

  return record->in->section->vaddr + record->i * record->in->record_bytes +
         off + (uint64_t)distance;
}

int const_data_find_record(const struct const_records *records, uint64_t vaddr,
                           size_t *out) {
  const uint64_t off = vaddr - records->section->vaddr;

  if (off % records->record_bytes != 0 ||
      off / records->record_bytes >= records->n)
    return -1;
  *out = (size_t)(off / records->record_bytes);
  return 0;
}

const uint8_t *const_data_find(const struct const_data *data, uint64_t vaddr,
                               uint64_t n_bytes) {
  const uint64_t off = vaddr - data->data.vaddr;

  if (vaddr < data->data.vaddr || off > data->data.n_bytes ||
      n_bytes > data->data.n_bytes - off)
    return NULL;
  return data->data.bytes + off;
}

const uint8_t *const_data_take(struct const_data *data,
                               const struct const_record *record, size_t off,
                               uint64_t n_bytes, const char *what) {
  const uint8_t *found =
      const_data_find(data, const_data_target(data, record, off), n_bytes);
  char text[80];

  if (found && n_bytes <= data->n_left) {
    data->n_left -= n_bytes;
    return found;
  }
  snprintf(text, sizeof(text), "%s %s", what,
           found ? "overlaps another one" : "lies outside of the section");
  const_data_damaged(data, record, text);
  return NULL;
}
