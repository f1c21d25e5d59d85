/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sum/gmon_parts.h"
#include "arcline/gmon_format.h"

enum {
  PTR_BYTES = sizeof(uint64_t),
  N_BINS_OFFSET = 1 + 2 * PTR_BYTES,
  UNIT_OFFSET = N_BINS_OFFSET + sizeof(uint32_t),
  UNIT_BYTES = sizeof(uint32_t) + GMON_DIMENSION_BYTES + 1,
  HISTOGRAM_BYTES = UNIT_OFFSET + UNIT_BYTES, /* without bins */
  ARC_BYTES = 1 + 2 * PTR_BYTES + sizeof(uint32_t),
  PAIRS_BYTES = 1 + sizeof(uint32_t), /* without pairs */
  PAIR_BYTES = 2 * PTR_BYTES,
};

static bool is_equal(const uint8_t *a, const uint8_t *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

int sum_compare_ranges(const struct sum_histogram *a,
                       const struct sum_histogram *b) {
  return a->low != b->low ? sum_compare(a->low, b->low)
                          : sum_compare(a->high, b->high);
}

bool sum_is_same_unit(const struct sum_histogram *a,
                      const struct sum_histogram *b) {
  return is_equal(a->unit, b->unit, UNIT_BYTES);
}

static bool has_mark(const uint8_t *header) {
  return is_equal(header + GMON_SPARE_OFFSET,
                  (const uint8_t *)GMON_ARCLINE_MARK, GMON_ARCLINE_MARK_BYTES);
}

static const uint8_t *build_id_in(const uint8_t *header) {
  return header + GMON_SPARE_OFFSET + GMON_ARCLINE_MARK_BYTES;
}

bool sum_is_same_image(const uint8_t *header, const uint8_t *other) {
  // Other writers leave the spare bytes undefined.
  if (has_mark(header) != has_mark(other))
    return false;
  return !has_mark(header) || is_equal(build_id_in(header), build_id_in(other),
                                       GMON_ARCLINE_BUILD_ID_BYTES);
}

bool sum_fail(const struct sum_reader *reader, uint64_t offset,
              enum sum_reason reason) {
  if (reader->flaw->reason == SUM_FINE)
    *reader->flaw = (struct sum_flaw){reason, reader->i_file, offset};
  return false;
}

const uint8_t *sum_open(const struct sum_file *file, size_t i_file,
                        struct sum_flaw *flaw, struct sum_reader *out) {
  const uint8_t *const header = file->bytes;

  *out = (struct sum_reader){.i_file = i_file, .flaw = flaw};
  if (!file->n_bytes)
    return NULL;
  if (file->n_bytes < GMON_HEADER_BYTES ||
      !is_equal(header, (const uint8_t *)GMON_MAGIC, GMON_MAGIC_BYTES) ||
      sum_u32(header + GMON_MAGIC_BYTES) != GMON_VERSION) {
    sum_fail(out, 0, SUM_NOT_GMON);
    return NULL;
  }
  out->base = header;
  out->at = header + GMON_HEADER_BYTES;
  out->end = header + file->n_bytes;
  out->zeros = file->zeros;
  out->n_zeros = file->n_zeros;
  return header;
}

/* Is a record of that kind next, with as many bytes at least? */
static bool is_next(const struct sum_reader *reader, enum gmon_tag tag,
                    size_t n_bytes) {
  if (reader->at == reader->end || *reader->at != tag)
    return false;
  if ((size_t)(reader->end - reader->at) < n_bytes)
    return sum_fail(reader, sum_offset(reader), SUM_CUT_OFF);
  return true;
}

bool sum_read_histogram(struct sum_reader *reader, struct sum_histogram *out) {
  const uint8_t *const at = reader->at;

  if (!is_next(reader, GMON_TAG_HISTOGRAM, HISTOGRAM_BYTES))
    return false;
  *out = (struct sum_histogram){
      .offset = sum_offset(reader),
      .low = sum_u64(at + 1),
      .high = sum_u64(at + 1 + PTR_BYTES),
      .n_bins = sum_u32(at + N_BINS_OFFSET),
      .unit = at + UNIT_OFFSET,
      .bins = at + HISTOGRAM_BYTES,
  };
  if (out->n_bins && out->high <= out->low)
    return sum_fail(reader, out->offset, SUM_BAD_RANGE);
  if (out->n_bins > (size_t)(reader->end - out->bins) / sizeof(uint16_t))
    return sum_fail(reader, out->offset, SUM_CUT_OFF);
  out->record_bytes = HISTOGRAM_BYTES + out->n_bins * sizeof(uint16_t);
  reader->at += out->record_bytes;
  out->is_empty = reader->zeros && out->bins >= reader->zeros &&
                  (size_t)(reader->at - reader->zeros) <= reader->n_zeros;
  return true;
}

bool sum_read_arc(struct sum_reader *reader, struct solve_arc *out) {
  const uint8_t *const at = reader->at;

  if (!is_next(reader, GMON_TAG_ARC, ARC_BYTES))
    return false;
  *out = (struct solve_arc){
      .from = sum_u64(at + 1),
      .self = sum_u64(at + 1 + PTR_BYTES),
      .count = sum_u32(at + 1 + 2 * PTR_BYTES),
  };
  reader->at += ARC_BYTES;
  return true;
}

bool sum_read_pairs(struct sum_reader *reader, const uint8_t **pairs,
                    size_t *n_pairs) {
  if (!is_next(reader, GMON_TAG_BLOCKS, PAIRS_BYTES))
    return false;
  const size_t n = sum_u32(reader->at + 1);
  if (n > ((size_t)(reader->end - reader->at) - PAIRS_BYTES) / PAIR_BYTES)
    return sum_fail(reader, sum_offset(reader), SUM_CUT_OFF);
  *pairs = reader->at + PAIRS_BYTES;
  *n_pairs = n;
  reader->at += PAIRS_BYTES + n * PAIR_BYTES;
  return true;
}

void sum_put_header(struct write_sink *sink, const uint8_t *header) {
  if (has_mark(header))
    write_gmon_header(sink, build_id_in(header));
  else
    write_gmon_header(sink, NULL);
}

void sum_put_histogram(struct write_sink *sink,
                       const struct sum_histogram *histogram,
                       bool (*load)(const void *context, size_t first, size_t n,
                                    uint64_t *counts),
                       const void *context) {
  const struct write_histogram out = {
      .low_vaddr = histogram->low,
      .high_vaddr = histogram->high,
      .n_bins = histogram->n_bins,
      .rate = sum_u32(histogram->unit),
      .dimension = (const char *)histogram->unit + sizeof(uint32_t),
      .abbreviation = (char)histogram->unit[UNIT_BYTES - 1],
      .load = load,
      .context = context,
  };

  write_gmon_histogram(sink, &out);
}
