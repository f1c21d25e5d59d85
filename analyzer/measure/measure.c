/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/measure.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "gmon/gmon_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Remember the unit of the first histogram and compare later ones with it. */
static int check_unit(struct measure *measure, const struct gmon_reader *reader,
                      const struct gmon_record *record, struct err *err) {
  const struct gmon_histogram *histogram = &record->histogram;

  if (!measure->has_histogram) {
    measure->has_histogram = true;
    measure->rate_hz = histogram->rate_hz;
    memcpy(measure->dimension, histogram->dimension,
           sizeof(measure->dimension));
    measure->abbreviation = histogram->abbreviation;
    return 0;
  }
  if (measure->rate_hz != histogram->rate_hz)
    return err_set(err, ERR_INPUT,
                   "%s: the histogram at offset %" PRIu64
                   " was sampled %" PRIu32 " times a second, and an earlier "
                   "one %" PRIu32 " times; report them separately",
                   reader->file->path, record->offset, histogram->rate_hz,
                   measure->rate_hz);
  if (strcmp(measure->dimension, histogram->dimension) != 0)
    return err_set(err, ERR_INPUT,
                   "%s: the histogram at offset %" PRIu64
                   " counts %.15s, and an earlier one %.15s; report them "
                   "separately",
                   reader->file->path, record->offset, histogram->dimension,
                   measure->dimension);
  return 0;
}

/** First address of a bin, without overflow of the product. */
static uint64_t bin_vaddr(const struct gmon_histogram *histogram,
                          uint32_t i_bin) {
  const uint64_t range = histogram->high_pc - histogram->low_pc;
  const uint64_t whole = range / histogram->n_bins;
  const uint64_t rest = range % histogram->n_bins;

  return histogram->low_pc + whole * i_bin + rest * i_bin / histogram->n_bins;
}

static int add_histogram(struct measure *measure,
                         const struct gmon_reader *reader,
                         const struct gmon_record *record, struct err *err) {
  const struct gmon_histogram *histogram = &record->histogram;

  if (check_unit(measure, reader, record, err) != 0)
    return -1;
  for (uint32_t i = 0; (i = gmon_next_bin(histogram, i)) < histogram->n_bins;
       i++) {
    void *grown = array_grow(measure->samples, measure->n_samples,
                             &measure->max_samples, sizeof(*measure->samples));
    if (!grown)
      return err_no_memory(err);
    measure->samples = grown;
    const uint64_t low = bin_vaddr(histogram, i);
    const uint64_t high = bin_vaddr(histogram, i + 1);
    measure->samples[measure->n_samples++] =
        (struct measure_sample){.low = low,
                                .high = high > low ? high : low + 1,
                                .count = gmon_bin(histogram, i)};
  }
  return 0;
}

static int add_blocks(struct measure *measure, struct gmon_blocks blocks,
                      struct err *err) {
  struct gmon_block block;

  while (gmon_next_block(&blocks, &block)) {
    void *grown = array_grow(measure->blocks, measure->n_blocks,
                             &measure->max_blocks, sizeof(*measure->blocks));
    if (!grown)
      return err_no_memory(err);
    measure->blocks = grown;
    measure->blocks[measure->n_blocks++] =
        (struct measure_block){block.vaddr, block.count};
  }
  return 0;
}

static int add_arc(struct measure *measure, const struct gmon_reader *reader,
                   const struct gmon_arc *arc, struct err *err) {
  // Arcline names a byte of the call, others the one behind it.
  const bool is_behind = !reader->has_mark && arc->from_pc > 0;
  void *grown = array_grow(measure->arcs, measure->n_arcs, &measure->max_arcs,
                           sizeof(*measure->arcs));

  if (!grown)
    return err_no_memory(err);
  measure->arcs = grown;
  measure->arcs[measure->n_arcs++] =
      (struct measure_arc){arc->from_pc - is_behind, arc->self_pc, arc->count};
  return 0;
}

int measure_add(struct measure *measure, struct gmon_reader *reader,
                struct err *err) {
  struct gmon_record record;
  int more;

  while ((more = gmon_reader_next(reader, &record, err)) > 0) {
    int rc = 0;
    switch (record.tag) {
    case GMON_TAG_HISTOGRAM:
      rc = add_histogram(measure, reader, &record, err);
      break;
    case GMON_TAG_ARC:
      rc = add_arc(measure, reader, &record.arc, err);
      break;
    case GMON_TAG_BLOCKS:
      rc = add_blocks(measure, record.blocks, err);
      break;
    }
    if (rc != 0)
      return -1;
  }
  return more;
}

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_samples(const void *left, const void *right,
                           const void *context) {
  const struct measure_sample *a = left, *b = right;
  const int order = compare_u64(a->low, b->low);

  (void)context;
  return order ? order : compare_u64(a->high, b->high);
}

static int compare_blocks(const void *left, const void *right,
                          const void *context) {
  const struct measure_block *a = left, *b = right;

  (void)context;
  return compare_u64(a->vaddr, b->vaddr);
}

static int compare_arcs(const void *left, const void *right,
                        const void *context) {
  const struct measure_arc *a = left, *b = right;
  const int order = compare_u64(a->from_vaddr, b->from_vaddr);

  (void)context;
  return order ? order : compare_u64(a->self_vaddr, b->self_vaddr);
}

static void join_samples(struct measure *measure) {
  struct measure_sample *samples = measure->samples;
  size_t n = 0;

  for (size_t i = 0; i < measure->n_samples; i++)
    if (n > 0 && compare_samples(&samples[n - 1], &samples[i], NULL) == 0)
      samples[n - 1].count += samples[i].count;
    else
      samples[n++] = samples[i];
  measure->n_samples = n;
}

static void join_blocks(struct measure *measure) {
  struct measure_block *blocks = measure->blocks;
  size_t n = 0;

  for (size_t i = 0; i < measure->n_blocks; i++)
    if (n > 0 && compare_blocks(&blocks[n - 1], &blocks[i], NULL) == 0)
      blocks[n - 1].count += blocks[i].count;
    else
      blocks[n++] = blocks[i];
  measure->n_blocks = n;
}

static void join_arcs(struct measure *measure) {
  struct measure_arc *arcs = measure->arcs;
  size_t n = 0;

  for (size_t i = 0; i < measure->n_arcs; i++)
    if (n > 0 && compare_arcs(&arcs[n - 1], &arcs[i], NULL) == 0)
      arcs[n - 1].count += arcs[i].count;
    else
      arcs[n++] = arcs[i];
  measure->n_arcs = n;
}

int measure_finish(struct measure *measure, struct err *err) {
  if (merge_sort(measure->samples, measure->n_samples,
                 sizeof(*measure->samples), compare_samples, NULL) != 0 ||
      merge_sort(measure->blocks, measure->n_blocks, sizeof(*measure->blocks),
                 compare_blocks, NULL) != 0 ||
      merge_sort(measure->arcs, measure->n_arcs, sizeof(*measure->arcs),
                 compare_arcs, NULL) != 0)
    return err_no_memory(err);
  join_samples(measure);
  join_blocks(measure);
  join_arcs(measure);
  return 0;
}

void measure_release(struct measure *measure) {
  free(measure->samples);
  free(measure->blocks);
  free(measure->arcs);
  *measure = (struct measure){0};
}
