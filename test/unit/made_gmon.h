/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Makes up profiles: gmon files composed in memory, field by field or record by
 * record, for tests of readers.
 */
#ifndef MADE_GMON_H
#define MADE_GMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gmon/gmon_read.h"

/** A file that is being composed. */
struct builder {
  uint8_t bytes[1024];
  size_t n_bytes;
  struct gmon_layout layout;
};

/** How this machine stores numbers. */
static const struct gmon_layout native_layout = {
    .class_bits = 64, .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__};

static inline void put(struct builder *builder, uint64_t value,
                       unsigned n_bytes) {
  assert_true(builder->n_bytes + n_bytes <= sizeof(builder->bytes));
  for (unsigned i = 0; i < n_bytes; i++) {
    unsigned shift = 8 * (builder->layout.is_big_endian ? n_bytes - 1 - i : i);
    builder->bytes[builder->n_bytes++] = (uint8_t)(value >> shift);
  }
}

static inline void put_pointer(struct builder *builder, uint64_t value) {
  put(builder, value, builder->layout.class_bits / 8);
}

static inline void put_text(struct builder *builder, const char *text,
                            size_t n) {
  assert_true(builder->n_bytes + n <= sizeof(builder->bytes));
  memcpy(&builder->bytes[builder->n_bytes], text, n);
  builder->n_bytes += n;
}

/** A file of version 1 in this machine's layout, so far without records. id:
 * the 8 bytes after Arcline's mark; NULL: no mark. */
static inline struct builder made_gmon(const char *id) {
  struct builder builder = {.layout = native_layout};

  put_text(&builder, GMON_MAGIC, GMON_MAGIC_BYTES);
  put(&builder, GMON_VERSION, 4);
  put_text(&builder, id ? GMON_ARCLINE_MARK : "\0\0\0\0",
           GMON_ARCLINE_MARK_BYTES);
  put_text(&builder, id ? id : "\0\0\0\0\0\0\0\0", GMON_ARCLINE_BUILD_ID_BYTES);
  return builder;
}

/** A histogram of seconds at 100 Hz. */
static inline void made_histogram(struct builder *builder, uint64_t low,
                                  uint64_t high, const uint16_t *bins,
                                  uint32_t n_bins) {
  put(builder, GMON_TAG_HISTOGRAM, 1);
  put_pointer(builder, low);
  put_pointer(builder, high);
  put(builder, n_bins, 4);
  put(builder, 100, 4);
  put_text(builder, "seconds\0\0\0\0\0\0\0\0s", 16);
  for (uint32_t i = 0; i < n_bins; i++)
    put(builder, bins[i], 2);
}

static inline void made_arc(struct builder *builder, uint64_t from_pc,
                            uint64_t self_pc, uint32_t count) {
  put(builder, GMON_TAG_ARC, 1);
  put_pointer(builder, from_pc);
  put_pointer(builder, self_pc);
  put(builder, count, 4);
}

/** A record of one block. */
static inline void made_block(struct builder *builder, uint64_t vaddr,
                              uint64_t count) {
  put(builder, GMON_TAG_BLOCKS, 1);
  put(builder, 1, 4);
  put_pointer(builder, vaddr);
  put_pointer(builder, count);
}

/** The file as one that was loaded; borrows the builder. */
static inline struct gmon_file made_file(struct builder *builder,
                                         const char *path) {
  return (struct gmon_file){
      .path = path, .bytes = builder->bytes, .n_bytes = builder->n_bytes};
}

#endif
