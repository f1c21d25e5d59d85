/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/gmon_write.h"

#include "base/err.h"
#include "base/out_file.h"
#include "measure/measure.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

// Limit of the additional records that all counts together need because they
// are too large for one.
enum { MAX_MORE_RECORDS = 1 << 20 };

/** An output file and its format; stdio keeps the first error. */
struct sink {
  FILE *file;
  struct gmon_layout layout;
  bool is_old;
  bool is_gnu;
};

static void put_number(const struct sink *sink, uint64_t value,
                       unsigned n_bytes) {
  for (unsigned i = 0; i < n_bytes; i++) {
    unsigned shift = 8 * (sink->layout.is_big_endian ? n_bytes - 1 - i : i);
    fputc((int)(value >> shift & 0xff), sink->file);
  }
}

static void put_pointer(const struct sink *sink, uint64_t value) {
  put_number(sink, value, sink->layout.class_bits / 8);
}

static void put_header(const struct sink *sink, const uint8_t *build_id) {
  static const uint8_t no_mark[GMON_SPARE_BYTES];

  fwrite(GMON_MAGIC, 1, GMON_MAGIC_BYTES, sink->file);
  put_number(sink, GMON_VERSION, 4);
  if (build_id) {
    fwrite(GMON_ARCLINE_MARK, 1, GMON_ARCLINE_MARK_BYTES, sink->file);
    fwrite(build_id, 1, GMON_ARCLINE_BUILD_ID_BYTES, sink->file);
  } else {
    fwrite(no_mark, 1, sizeof(no_mark), sink->file);
  }
}

/** The samples of bin number i_bin. Called for all bins in order.
 * i_filled  0 for the first one. */
static uint64_t take_bin(const struct bins *histogram, uint32_t i_bin,
                         size_t *i_filled) {
  const size_t i = *i_filled;

  if (i == histogram->n_filled || histogram->filled[i].i_bin != i_bin)
    return 0;
  ++*i_filled;
  return histogram->filled[i].count;
}

/** Write records until every bin has been written in full. */
static void put_histogram(const struct sink *sink,
                          const struct measure *measure,
                          const struct bins *histogram) {
  uint64_t written = 0; // of each bin, at most
  bool has_rest;

  do {
    has_rest = false;
    put_number(sink, GMON_TAG_HISTOGRAM, 1);
    put_pointer(sink, histogram->low_pc);
    put_pointer(sink, histogram->high_pc);
    put_number(sink, histogram->n_bins, 4);
    put_number(sink, measure->unit.rate_hz, 4);
    fwrite(measure->unit.dimension, 1, GMON_DIMENSION_BYTES, sink->file);
    fputc(measure->unit.abbreviation, sink->file);
    size_t i_filled = 0;
    for (uint32_t i = 0; i < histogram->n_bins; i++) {
      const uint64_t count = take_bin(histogram, i, &i_filled);
      uint64_t rest = count > written ? count - written : 0;
      if (sink->is_gnu)
        put_number(sink, count, 2);
      else
        put_number(sink, rest < UINT16_MAX ? rest : UINT16_MAX, 2);
      has_rest |= rest > UINT16_MAX;
    }
    written += UINT16_MAX;
  } while (has_rest && !sink->is_gnu);
}

static void put_arc(const struct sink *sink, const struct measure_arc *arc) {
  // Old files store counts in words of the machine, new ones in 4 bytes.
  const unsigned n_bytes = sink->is_old ? sink->layout.class_bits / 8 : 4;
  const uint64_t max = n_bytes == 4 ? UINT32_MAX : UINT64_MAX;
  uint64_t rest = arc->count;

  do {
    const uint64_t part = sink->is_gnu || rest < max ? rest : max;
    if (!sink->is_old)
      put_number(sink, GMON_TAG_ARC, 1);
    put_pointer(sink, arc->from_pc);
    put_pointer(sink, arc->self_pc);
    put_number(sink, part, n_bytes);
    rest -= part;
  } while (rest > 0);
}

/** Largest count of a block. */
static uint64_t max_count(const struct sink *sink) {
  return sink->layout.class_bits == 32 ? UINT32_MAX : UINT64_MAX;
}

/** Number of pairs that a block takes. */
static uint64_t n_pairs(const struct sink *sink,
                        const struct measure_block *block) {
  return block->count && !sink->is_gnu
             ? (block->count - 1) / max_count(sink) + 1
             : 1;
}

static void put_block(const struct sink *sink,
                      const struct measure_block *block) {
  uint64_t rest = block->count;

  do {
    uint64_t part =
        sink->is_gnu || rest < max_count(sink) ? rest : max_count(sink);
    put_pointer(sink, block->vaddr);
    put_pointer(sink, part);
    rest -= part;
  } while (rest > 0);
}

/** Write all blocks in one record. */
static void put_blocks(const struct sink *sink, const struct measure *measure) {
  uint64_t n = 0;

  if (!measure->has_blocks)
    return;
  for (size_t i = 0; i < measure->n_blocks; i++)
    n += n_pairs(sink, &measure->blocks[i]);
  put_number(sink, GMON_TAG_BLOCKS, 1);
  put_number(sink, n, 4);
  for (size_t i = 0; i < measure->n_blocks; i++)
    put_block(sink, &measure->blocks[i]);
}

/** Write the header of an old format and its only histogram's bins. */
static void put_old_histogram(const struct sink *sink,
                              const struct measure *measure, bool is_bsd44) {
  static const struct bins none;
  const struct bins *const histogram =
      measure->n_histograms ? &measure->histograms[0] : &none;
  const unsigned pointer_bytes = sink->layout.class_bits / 8;
  const uint64_t header_bytes = 2 * pointer_bytes + 4 + (is_bsd44 ? 20 : 0);

  put_pointer(sink, histogram->low_pc);
  put_pointer(sink, histogram->high_pc);
  put_number(sink, header_bytes + 2 * (uint64_t)histogram->n_bins, 4);
  if (is_bsd44) {
    put_number(sink, GMON_BSD44_MAGIC, 4);
    put_number(sink, measure->unit.rate_hz, 4);
    put_number(sink, 0, 8);
    put_number(sink, 0, 4);
  }
  size_t i_filled = 0;
  for (uint32_t i = 0; i < histogram->n_bins; i++)
    put_number(sink, take_bin(histogram, i, &i_filled), 2);
}

// --- Limits of formats ---

/** An old format has one histogram, and each bin once. */
static int check_old(const char *path, const struct measure *measure,
                     struct err *err) {
  const struct bins *const histogram = measure->histograms;
  bool has_overflow = false;

  if (measure->n_histograms > 1)
    return err_set(err, ERR_INPUT,
                   "%s: cannot write: old formats support one histogram, the "
                   "profile has %zu; omit -O",
                   path, measure->n_histograms);
  for (size_t i = 0; histogram && i < histogram->n_filled; i++)
    has_overflow |= histogram->filled[i].count > UINT16_MAX;
  if (has_overflow)
    return err_set(err, ERR_INPUT,
                   "%s: cannot write: old formats support %d samples in a bin, "
                   "the profile has more; omit -O",
                   path, UINT16_MAX);
  if (measure->has_blocks)
    warn("%s: basic block counts are omitted, old formats do not support them",
         path);
  return 0;
}

/** Counts from other formats may be larger than any program's, and would need
 * more records than there is disk space. */
static int check_counts(const char *path, const struct sink *sink,
                        const struct measure *measure, struct err *err) {
  uint64_t n_more = 0; // records of counts that do not fit one

  for (size_t i = 0; i < measure->n_arcs && n_more <= MAX_MORE_RECORDS; i++)
    n_more += measure->arcs[i].count / UINT32_MAX;
  for (size_t i = 0; i < measure->n_blocks && n_more <= MAX_MORE_RECORDS; i++)
    n_more += n_pairs(sink, &measure->blocks[i]) - 1;
  if (n_more <= MAX_MORE_RECORDS)
    return 0;
  return err_set(err, ERR_INPUT,
                 "%s: cannot write: counts are too large for the format; are "
                 "the profiles corrupt?",
                 path);
}

static int check_room(const char *path, const struct sink *sink,
                      const struct measure *measure, struct err *err) {
  if (sink->is_gnu)
    return 0;
  if (sink->is_old && check_old(path, measure, err))
    return -1;
  return sink->is_old && sink->layout.class_bits == 64
             ? 0
             : check_counts(path, sink, measure, err);
}

int gmon_write(const char *path, const struct measure *measure,
               const struct gmon_write_options *options, struct err *err) {
  // The oldest format cannot store a rate other than the clock's.
  const bool is_bsd44 = options->format == GMON_FORMAT_BSD44 ||
                        measure->unit.rate_hz != (uint32_t)sysconf(_SC_CLK_TCK);
  struct out_file file;
  struct sink sink = {
      .layout = options->layout,
      .is_old = options->format == GMON_FORMAT_BSD ||
                options->format == GMON_FORMAT_BSD44,
      .is_gnu = options->is_gnu,
  };

  if (check_room(path, &sink, measure, err) || out_file_open(path, &file, err))
    return -1;
  sink.file = file.stream;
  if (sink.is_old)
    put_old_histogram(&sink, measure, is_bsd44);
  else
    put_header(&sink, options->build_id);
  for (size_t i = 0; i < measure->n_histograms && !sink.is_old; i++)
    put_histogram(&sink, measure, &measure->histograms[i]);
  for (size_t i = 0; i < measure->n_arcs; i++)
    put_arc(&sink, &measure->arcs[i]);
  if (!sink.is_old)
    put_blocks(&sink, measure);
  const int rc = out_file_commit(&file, err);
  out_file_release(&file);
  return rc;
}
