/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/measure.h"

#include "base/array.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/trace.h"
#include "gmon/gmon_read.h"
#include "image/image.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- Histograms ---

/** A histogram of the file being read. */
struct reading {
  const struct gmon_reader *reader;
  uint64_t offset;
  struct gmon_histogram histogram;
  double scale; // 2-byte units of text per bin; 0: no bins
};

/** Take the unit of the first histogram. */
static void take_unit(struct measure_unit *unit,
                      const struct reading *reading) {
  const struct gmon_histogram *histogram = &reading->histogram;

  *unit = (struct measure_unit){
      .is_known = true,
      .rate_hz = histogram->rate_hz,
      .rate_path = reading->reader->file->path,
      .abbreviation = histogram->abbreviation,
  };
  // Old files have no rate: it is that of the system's clock.
  if (reading->reader->is_old && histogram->rate_hz == 0)
    unit->rate_hz = (uint32_t)sysconf(_SC_CLK_TCK);
  memcpy(unit->dimension, histogram->dimension, sizeof(unit->dimension));
}

/** Are samples of the same unit as those read before? */
static int check_unit(const struct measure *measure,
                      const struct reading *reading, struct err *err) {
  const struct gmon_histogram *histogram = &reading->histogram;
  const struct measure_unit *unit = &measure->unit;
  const char *path = reading->reader->file->path;

  if (strcmp(histogram->dimension, unit->dimension) != 0)
    return err_set(
        err, ERR_INPUT,
        "%s: histogram at offset %" PRIu64
        " counts %.15s, an earlier one counts %.15s; report them separately",
        path, reading->offset, histogram->dimension, unit->dimension);
  if (histogram->abbreviation != unit->abbreviation)
    return err_set(
        err, ERR_INPUT,
        "%s: histogram at offset %" PRIu64
        " has unit `%c', an earlier one has `%c'; report them separately",
        path, reading->offset, histogram->abbreviation, unit->abbreviation);
  return 0;
}

/** Are bins as wide, and samples as frequent, as those read before? */
static int check_bins(const struct measure *measure,
                      const struct reading *reading, struct err *err) {
  const struct gmon_reader *reader = reading->reader;
  const struct measure_unit *unit = &measure->unit;

  if (reading->histogram.n_bins == 0)
    return 0;
  // Rounding of the number of bins makes tiny differences.
  if (measure->scale > 0 && fabs(reading->scale - measure->scale) > 0.000001)
    return err_set(err, ERR_INPUT,
                   "%s: histogram at offset %" PRIu64
                   " has bins of %g bytes, an earlier one has bins of %g; "
                   "report them separately",
                   reader->file->path, reading->offset, 2 * reading->scale,
                   2 * measure->scale);
  // The oldest files have no rate. GNU gprof checks that of old ones only.
  if (reading->histogram.rate_hz == unit->rate_hz ||
      (reader->is_old ? !reader->is_bsd44
                      : measure->flags & MEASURE_MIXED_RATES))
    return 0;
  return err_set(err, ERR_INPUT,
                 "%s: histogram at offset %" PRIu64 " has %" PRIu32
                 " samples per second, one of %s has %" PRIu32
                 "; report them separately",
                 reader->file->path, reading->offset,
                 reading->histogram.rate_hz, unit->rate_path, unit->rate_hz);
}

/** Errors: the histogram is not within the image. */
static int check_place(const struct image *image, struct reading *reading,
                       struct err *err) {
  struct gmon_histogram *histogram = &reading->histogram;

  // Without bins, its range means nothing.
  if (histogram->n_bins == 0) {
    histogram->low_pc = histogram->high_pc = image->low_vaddr;
    return 0;
  }
  if (histogram->low_pc >= image->low_vaddr &&
      histogram->high_pc <= image->high_vaddr)
    return 0;
  return err_set(
      err, ERR_INPUT,
      "%s: histogram at offset %" PRIu64 ", 0x%" PRIx64 " to 0x%" PRIx64
      ", is outside of %s; does the profile belong to another image?",
      reading->reader->file->path, reading->offset, histogram->low_pc,
      histogram->high_pc, basename(image->path));
}

/** Find the sum of a histogram's range, or make one; NULL with *err set if it
 * overlaps another one, or there are too many. */
static struct bins *find_bins(struct measure *measure,
                              const struct reading *reading, struct err *err) {
  const struct gmon_histogram *histogram = &reading->histogram;

  for (size_t i = 0; i < measure->n_histograms; i++) {
    struct bins *old = &measure->histograms[i];
    if (old->low_pc == histogram->low_pc &&
        old->high_pc == histogram->high_pc && old->n_bins == histogram->n_bins)
      return old;
    if (old->low_pc < histogram->high_pc && histogram->low_pc < old->high_pc) {
      err_set(err, ERR_INPUT,
              "%s: histogram at offset %" PRIu64 ", 0x%" PRIx64 " to 0x%" PRIx64
              ", overlaps 0x%" PRIx64 " to 0x%" PRIx64
              "; do the profiles belong to the same image?",
              reading->reader->file->path, reading->offset, histogram->low_pc,
              histogram->high_pc, old->low_pc, old->high_pc);
      return NULL;
    }
  }
  if (measure->n_histograms == MEASURE_MAX_HISTOGRAMS) {
    err_set(err, ERR_INPUT,
            "too many histograms: more than %d address ranges; report fewer "
            "profiles at once",
            MEASURE_MAX_HISTOGRAMS);
    return NULL;
  }
  struct bins *grown = array_grow(measure->histograms, measure->n_histograms,
                                  &measure->max_histograms, sizeof(*grown));
  if (!grown) {
    err_no_memory(err);
    return NULL;
  }
  measure->histograms = grown;
  grown[measure->n_histograms] = (struct bins){.low_pc = histogram->low_pc,
                                               .high_pc = histogram->high_pc,
                                               .n_bins = histogram->n_bins};
  return &grown[measure->n_histograms++];
}

static int add_histogram(struct measure *measure,
                         const struct gmon_reader *reader,
                         const struct gmon_record *record, struct err *err) {
  struct reading reading = {.reader = reader,
                            .offset = record->offset,
                            .histogram = record->histogram};
  const struct gmon_histogram *histogram = &reading.histogram;

  if (measure->image && check_place(measure->image, &reading, err) != 0)
    return -1;
  if (histogram->n_bins > 0)
    reading.scale = (double)((histogram->high_pc - histogram->low_pc) / 2) /
                    histogram->n_bins;
  if (!measure->unit.is_known)
    take_unit(&measure->unit, &reading);
  else if (check_unit(measure, &reading, err) != 0 ||
           check_bins(measure, &reading, err) != 0)
    return -1;
  if (measure->scale == 0)
    measure->scale = reading.scale;
  struct bins *sum = find_bins(measure, &reading, err);
  return sum ? bins_add(sum, histogram, err) : -1;
}

// --- Arcs and blocks ---

/** First key to try for an arc; if another arc has it, the next key follows. */
static uint64_t key_of(const struct measure_arc *arc) {
  return arc->from_pc * 0x9e3779b97f4a7c15 + arc->self_pc;
}

static int add_arc(struct measure *measure, const struct gmon_reader *reader,
                   const struct gmon_arc *record, struct err *err) {
  const struct measure_arc arc = {
      .from_pc = record->from_pc,
      .self_pc = record->self_pc,
      .count = record->count,
      // Arcline records a byte of the call, other profilers the one after it.
      .n_after = reader->has_mark ? 0 : record->count,
  };
  struct measure_arc *arcs = array_grow(measure->arcs, measure->n_arcs,
                                        &measure->max_arcs, sizeof(*arcs));
  uint64_t key = key_of(&arc);

  if (!arcs)
    return err_no_memory(err);
  measure->arcs = arcs;
  if (measure->n_arcs >= MAP64_NONE)
    return err_set(err, ERR_INPUT,
                   "too many arcs: %zu; report fewer profiles at once",
                   measure->n_arcs);
  for (;; key++) {
    uint32_t i = (uint32_t)measure->n_arcs;
    const int found = map64_find_or_insert(&measure->arc_index, key, &i, err);
    if (found < 0)
      return -1;
    if (!found) {
      arcs[measure->n_arcs++] = arc;
      return 0;
    }
    if (arcs[i].from_pc == arc.from_pc && arcs[i].self_pc == arc.self_pc) {
      arcs[i].count += arc.count;
      arcs[i].n_after += arc.n_after;
      return 0;
    }
  }
}

static int add_block(struct measure *measure, const struct gmon_block *block,
                     struct err *err) {
  uint32_t i = (uint32_t)measure->n_blocks;
  struct measure_block *blocks =
      array_grow(measure->blocks, measure->n_blocks, &measure->max_blocks,
                 sizeof(*blocks));

  if (!blocks)
    return err_no_memory(err);
  measure->blocks = blocks;
  if (measure->n_blocks >= MAP64_NONE)
    return err_set(err, ERR_INPUT,
                   "too many blocks: %zu; report fewer profiles at once",
                   measure->n_blocks);
  const int found =
      map64_find_or_insert(&measure->block_index, block->vaddr, &i, err);
  if (found < 0)
    return -1;
  if (found)
    blocks[i].count += block->count;
  else
    blocks[measure->n_blocks++] =
        (struct measure_block){block->vaddr, block->count};
  return 0;
}

static int add_blocks(struct measure *measure, struct gmon_blocks blocks,
                      struct err *err) {
  struct gmon_block block;

  if (!(measure->flags & MEASURE_BLOCKS)) {
    measure->ignored_blocks = true;
    return 0;
  }
  measure->has_blocks = true;
  while (gmon_next_block(&blocks, &block))
    if (add_block(measure, &block, err) != 0)
      return -1;
  return 0;
}

// --- Files ---

static void trace_record(const struct gmon_record *record) {
  switch (record->tag) {
  case GMON_TAG_HISTOGRAM:
    trace_print(TRACE_READ,
                "offset %" PRIu64 ": histogram of 0x%" PRIx64 " to 0x%" PRIx64
                ", %" PRIu32 " bins, %" PRIu32 " samples a unit of \"%s\"",
                record->offset, record->histogram.low_pc,
                record->histogram.high_pc, record->histogram.n_bins,
                record->histogram.rate_hz, record->histogram.dimension);
    break;
  case GMON_TAG_ARC:
    trace_print(TRACE_READ,
                "offset %" PRIu64 ": arc from 0x%" PRIx64 " to 0x%" PRIx64
                ", count %" PRIu64,
                record->offset, record->arc.from_pc, record->arc.self_pc,
                record->arc.count);
    break;
  case GMON_TAG_BLOCKS:
    trace_print(TRACE_READ, "offset %" PRIu64 ": %" PRIu32 " basic blocks",
                record->offset, record->blocks.n_blocks);
    break;
  }
}

static int add_record(struct measure *measure, const struct gmon_reader *reader,
                      const struct gmon_record *record,
                      struct measure_contents *contents, struct err *err) {
  switch (record->tag) {
  case GMON_TAG_HISTOGRAM:
    contents->n_histograms += !reader->is_old || record->histogram.n_bins > 0;
    return add_histogram(measure, reader, record, err);
  case GMON_TAG_ARC:
    contents->n_arcs++;
    measure->has_arcs = true;
    return add_arc(measure, reader, &record->arc, err);
  case GMON_TAG_BLOCKS:
    contents->n_blocks++;
    return add_blocks(measure, record->blocks, err);
  }
  return 0;
}

int measure_add(struct measure *measure, struct gmon_reader *reader,
                struct measure_contents *contents, struct err *err) {
  struct gmon_record record;
  int more;

  *contents = (struct measure_contents){.version = reader->version};
  measure->has_unmarked |= !reader->has_mark;
  // Old files always have room for arcs, even if none follows.
  measure->has_arcs |= reader->is_old;
  while ((more = gmon_reader_next(reader, &record, err)) > 0) {
    if (trace_is_on(TRACE_READ))
      trace_record(&record);
    if (add_record(measure, reader, &record, contents, err) != 0)
      return -1;
  }
  return more;
}

void measure_finish(struct measure *measure) {
  map64_release(&measure->arc_index);
  map64_release(&measure->block_index);
}

// --- Calls ---

static int compare_calls(const void *left, const void *right,
                         const void *context) {
  const struct measure_call *a = left, *b = right;

  (void)context;
  if (a->vaddr != b->vaddr)
    return a->vaddr < b->vaddr ? -1 : 1;
  return (a->self_vaddr > b->self_vaddr) - (a->self_vaddr < b->self_vaddr);
}

static size_t join_calls(struct measure_call *calls, size_t n_calls) {
  size_t n = 0;

  for (size_t i = 0; i < n_calls; i++)
    if (n > 0 && compare_calls(&calls[n - 1], &calls[i], NULL) == 0)
      calls[n - 1].count += calls[i].count;
    else
      calls[n++] = calls[i];
  return n;
}

int measure_calls(const struct measure *measure, struct measure_call **out,
                  size_t *n_out, struct err *err) {
  struct measure_call *calls =
      reallocarray(NULL, 2 * measure->n_arcs + 1, sizeof(*calls));
  size_t n = 0;

  if (!calls)
    return err_no_memory(err);
  for (size_t i = 0; i < measure->n_arcs; i++) {
    const struct measure_arc *arc = &measure->arcs[i];
    const uint64_t n_inside = arc->count - arc->n_after;
    // Calls that were never made are taken to be in the form of the files
    // without a mark.
    const bool is_after =
        arc->n_after > 0 || (arc->count == 0 && measure->has_unmarked);
    if (n_inside > 0 || !is_after)
      calls[n++] = (struct measure_call){arc->from_pc, arc->self_pc, n_inside};
    if (is_after)
      calls[n++] = (struct measure_call){arc->from_pc - (arc->from_pc > 0),
                                         arc->self_pc, arc->n_after};
  }
  if (merge_sort(calls, n, sizeof(*calls), compare_calls, NULL) != 0) {
    free(calls);
    return err_no_memory(err);
  }
  *out = calls;
  *n_out = join_calls(calls, n);
  return 0;
}

void measure_drop_blocks(struct measure *measure) {
  free(measure->blocks);
  measure->blocks = NULL;
  measure->n_blocks = measure->max_blocks = 0;
}

bool measure_has_samples(const struct measure *measure) {
  for (size_t i = 0; i < measure->n_histograms; i++)
    if (measure->histograms[i].n_filled > 0)
      return true;
  return false;
}

double measure_n_samples(const struct measure *measure) {
  double n = 0;
  for (size_t i = 0; i < measure->n_histograms; i++) {
    const struct bins *const bins = &measure->histograms[i];
    for (size_t k = 0; k < bins->n_filled; k++)
      n += (double)bins->filled[k].count;
  }
  return n;
}

void measure_release(struct measure *measure) {
  for (size_t i = 0; i < measure->n_histograms; i++)
    free(measure->histograms[i].filled);
  free(measure->histograms);
  free(measure->arcs);
  free(measure->blocks);
  measure_finish(measure);
  *measure = (struct measure){0};
}
