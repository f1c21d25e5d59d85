/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads gmon files, record by record: the new format, the old BSD format and
 * that of 4.4BSD, in either byte order and pointer width. Independent of
 * symbols. Every size in the file is checked against the bytes that are left
 * before it is used; no allocation depends on an unchecked size.
 */
#ifndef ARCLINE_GMON_READ_H
#define ARCLINE_GMON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/gmon_format.h"
#include "gmon/gmon_file.h"

struct err;

/** How numbers are stored. The file does not record it: it follows from the
 * image. */
struct gmon_layout {
  unsigned class_bits; /* 32 or 64 */
  bool is_big_endian;
};

/** Which format to expect. */
enum gmon_format {
  GMON_FORMAT_AUTO,  /* new if it begins with the magic, otherwise old */
  GMON_FORMAT_MAGIC, /* new */
  GMON_FORMAT_BSD,   /* old, 4.4BSD if it has that mark */
  GMON_FORMAT_BSD44, /* 4.4BSD */
};

/**
 * Read the name of a format: auto, magic, bsd or 4.4bsd; the first letter is
 * enough.
 *
 * Errors: another letter; or "prof", which is no longer written.
 */
int gmon_format_parse(const char *text, enum gmon_format *out, struct err *err);

/** Numbers in the file, not aligned. */
struct gmon_values {
  const uint8_t *at;
  bool is_big_endian;
};

struct gmon_histogram {
  uint64_t low_pc;
  uint64_t high_pc;
  uint32_t n_bins;
  uint32_t rate_hz; /* 0: the file has none */
  char dimension[GMON_DIMENSION_BYTES + 1];
  char abbreviation;
  struct gmon_values bins; /* n_bins x u16: gmon_bin(), gmon_next_bin() */
};

struct gmon_arc {
  uint64_t from_pc;
  uint64_t self_pc;
  uint64_t count;
};

/** The list of a block record: gmon_next_block(). */
struct gmon_blocks {
  uint32_t n_blocks; /* not read yet */
  struct gmon_layout layout;
  bool is_version_0;
  const uint8_t *at;
};

struct gmon_block {
  uint64_t vaddr;
  uint64_t count;
};

/** One record. */
struct gmon_record {
  enum gmon_tag tag; /* determines which member is set */
  uint64_t offset;   /* of the record's first byte in the file */
  union {
    struct gmon_histogram histogram;
    struct gmon_arc arc;
    struct gmon_blocks blocks;
  };
};

/** Reading position in a file. */
struct gmon_reader {
  const struct gmon_file *file;
  struct gmon_layout layout;
  bool is_old; /* old BSD or 4.4BSD format */
  bool is_bsd44;
  uint32_t version; /* 0 for the old formats */
  bool has_mark;    /* written by arcline; then build_id is set */
  uint8_t build_id[GMON_ARCLINE_BUILD_ID_BYTES];
  size_t position; /* private */
  bool has_begun;  /* private */
};

/**
 * Read the header.
 *
 * file  borrowed while the reader is in use.
 *
 * Errors: too short, another format than requested, unknown version.
 */
int gmon_reader_init(struct gmon_reader *reader, const struct gmon_file *file,
                     struct gmon_layout layout, enum gmon_format format,
                     struct err *err);

/**
 * Read the next record.
 *
 * out  its values point into the file.
 *
 * Returns 1; 0 at the end; -1 with *err set if the record is malformed or cut
 * short.
 */
int gmon_reader_next(struct gmon_reader *reader, struct gmon_record *out,
                     struct err *err);

/** Bin number i_bin, less than n_bins. */
uint16_t gmon_bin(const struct gmon_histogram *histogram, uint32_t i_bin);

/** Number of the first bin that is not 0, from number i_bin on; n_bins if all
 * the others are. Most are. */
uint32_t gmon_next_bin(const struct gmon_histogram *histogram, uint32_t i_bin);

/** Take the next block off the list. Returns true, or false at the end. */
bool gmon_next_block(struct gmon_blocks *blocks, struct gmon_block *out);

#endif
