/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Reads and compares parts of gmon files. Private to this folder. */
#ifndef ARCLINE_SUM_GMON_PARTS_H
#define ARCLINE_SUM_GMON_PARTS_H

#include <stdbool.h>

#include "sum/gmon_sum.h"
#include "write/gmon.h"

/** Reads a file from its start to its end. All zero is at the end of nothing.
 */
struct sum_reader {
  const uint8_t *base, *at, *end;
  const uint8_t *zeros; /* n_zeros are known to be, or NULL */
  size_t n_zeros;
  size_t i_file;
  struct sum_flaw *flaw;
};

struct sum_histogram {
  uint64_t offset; /* of the record */
  uint64_t low, high;
  uint32_t n_bins;
  const uint8_t *unit; /* rate, dimension, abbreviation, as in the file */
  const uint8_t *bins; /* of a record that was read not NULL */
  size_t record_bytes;
  bool is_empty; /* as far as known */
};

static inline uint64_t sum_offset(const struct sum_reader *reader) {
  return (uint64_t)(reader->at - reader->base);
}

static inline uint16_t sum_u16(const uint8_t *at) {
  uint16_t value;

  __builtin_memcpy(&value, at, sizeof(value));
  return value;
}

static inline uint32_t sum_u32(const uint8_t *at) {
  uint32_t value;

  __builtin_memcpy(&value, at, sizeof(value));
  return value;
}

static inline uint64_t sum_u64(const uint8_t *at) {
  uint64_t value;

  __builtin_memcpy(&value, at, sizeof(value));
  return value;
}

static inline uint64_t sum_saturating(uint64_t a, uint64_t b) {
  uint64_t sum;

  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/** Are all of n bins 0? Most are. */
static inline bool sum_is_zero(const uint8_t *bins, size_t n) {
  uint64_t any = 0;

  for (; n >= sizeof(any) / sizeof(uint16_t);
       n -= sizeof(any) / sizeof(uint16_t)) {
    any |= sum_u64(bins);
    bins += sizeof(any);
  }
  for (; n; n--, bins += sizeof(uint16_t))
    any |= sum_u16(bins);
  return !any;
}

/** Add n bins to counts. */
static inline void sum_add_bins(const uint8_t *bins, size_t n,
                                uint64_t *counts) {
  for (size_t i = 0; i < n; i++)
    counts[i] += sum_u16(bins + i * sizeof(uint16_t));
}

/** Returns below, at or above 0. */
static inline int sum_compare(uint64_t a, uint64_t b) {
  return (a > b) - (a < b);
}

static inline int sum_compare_arcs(const struct solve_arc *a,
                                   const struct solve_arc *b) {
  return a->from != b->from ? sum_compare(a->from, b->from)
                            : sum_compare(a->self, b->self);
}

int sum_compare_ranges(const struct sum_histogram *a,
                       const struct sum_histogram *b);
bool sum_is_same_unit(const struct sum_histogram *a,
                      const struct sum_histogram *b);
/** By marks; files without one may be of one image. */
bool sum_is_same_image(const uint8_t *header, const uint8_t *other);

/** Record the flaw, unless there is one already. Returns false. */
bool sum_fail(const struct sum_reader *reader, uint64_t offset,
              enum sum_reason reason);

/** Begin with a file. Returns its header; or NULL, if it has no bytes, or with
 * *flaw set if it is no gmon file. */
const uint8_t *sum_open(const struct sum_file *file, size_t i_file,
                        struct sum_flaw *flaw, struct sum_reader *out);

/* Each reads the next record and returns true; or false if there is none of
   the kind, or with *flaw set, and stays where it is. */

bool sum_read_histogram(struct sum_reader *reader, struct sum_histogram *out);
bool sum_read_arc(struct sum_reader *reader, struct solve_arc *out);
bool sum_read_pairs(struct sum_reader *reader, const uint8_t **pairs,
                    size_t *n_pairs);

/** Put a header: that mark, or none. */
void sum_put_header(struct write_sink *sink, const uint8_t *header);
/** Put the histogram; load has the counts. */
void sum_put_histogram(struct write_sink *sink,
                       const struct sum_histogram *histogram,
                       bool (*load)(const void *context, size_t first, size_t n,
                                    uint64_t *counts),
                       const void *context);

#endif
