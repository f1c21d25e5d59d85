/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Fields of the constant data that the pass leaves in an image
 * (arcline/abi.h), in the image's byte order, and what they point to. Knows
 * nothing of what the records mean (flow_data.h, flow_cells.h).
 */
#ifndef ARCLINE_CONST_DATA_H
#define ARCLINE_CONST_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "image/image.h"

struct err;

/** The sections of an image that is being read. */
struct const_data {
  const struct image *image;
  struct image_section funcs, bodies, copies, cells, data, addrs;
  uint64_t n_left; /* bytes of data that const_data_take() has not given out */
  struct err *err;
};

/** A section of records of equal size. */
struct const_records {
  const struct image_section *section;
  size_t record_bytes;
  size_t n;
  const char *what; /* one of them: "function", ... */
};

/** One record. */
struct const_record {
  const struct const_records *in;
  size_t i;
};

/** Find the sections. Absent ones, and those without contents (as in a file of
 * debug information), have no bytes. */
void const_data_init(struct const_data *data, const struct image *image,
                     struct err *err);

/**
 * Describe a section of records.
 *
 * Returns 0, or -1 with *data->err set if its size does not fit.
 */
int const_data_records(const struct const_data *data,
                       const struct image_section *section, const char *name,
                       size_t record_bytes, const char *what,
                       struct const_records *out);

/** Report that a record is damaged. Returns -1. */
int const_data_damaged(const struct const_data *data,
                       const struct const_record *record, const char *what);

/** Read an unsigned field of n_bytes at an offset of a record. */
uint64_t const_data_number(const struct const_data *data,
                           const struct const_record *record, size_t off,
                           unsigned n_bytes);

static inline uint32_t const_data_u32(const struct const_data *data,
                                      const struct const_record *record,
                                      size_t off) {
  return (uint32_t)const_data_number(data, record, off, 4);
}

/** Read an arcline_rel32 and return the address that it points to. */
uint64_t const_data_target(const struct const_data *data,
                           const struct const_record *record, size_t off);

/** Find the record at an address: 0 and its number in *out, or -1. */
int const_data_find_record(const struct const_records *records, uint64_t vaddr,
                           size_t *out);

/** Find n_bytes at an address of the data section, or NULL. */
const uint8_t *const_data_find(const struct const_data *data, uint64_t vaddr,
                               uint64_t n_bytes);

/**
 * Find the encoded bytes that a field of a record points to. Such stretches do
 * not overlap; so a hostile image cannot make us decode one over and over.
 *
 * what  for messages: "its graph", ...
 *
 * Returns NULL with *data->err set if they lie outside of the section, or
 * overlap.
 */
const uint8_t *const_data_take(struct const_data *data,
                               const struct const_record *record, size_t off,
                               uint64_t n_bytes, const char *what);

#endif
