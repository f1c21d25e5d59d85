/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Brings a gmon file of any order into sorted form: all records in arrays,
   sorted. Each is stored as an arc, so that one sort serves for all. */
#include "sum/gmon_parts.h"

/* The records of a file. */
struct records {
  struct solve_arc *histograms; /* from low to high; count: their offset */
  struct solve_arc *arcs;
  struct solve_arc *pairs; /* from the address */
  size_t n_histograms, n_arcs, n_pairs;
};

/* Passes all records, which are counted, and stored if there is room. */
static void read_records(struct sum_reader reader, struct records *out) {
  struct sum_histogram histogram;
  struct solve_arc arc;
  const uint8_t *pairs;
  size_t n_pairs;

  out->n_histograms = out->n_arcs = out->n_pairs = 0;
  while (reader.at < reader.end) {
    if (sum_read_histogram(&reader, &histogram)) {
      if (out->histograms)
        out->histograms[out->n_histograms] =
            (struct solve_arc){histogram.low, histogram.high, histogram.offset};
      out->n_histograms++;
    } else if (sum_read_arc(&reader, &arc)) {
      if (out->arcs)
        out->arcs[out->n_arcs] = arc;
      out->n_arcs++;
    } else if (sum_read_pairs(&reader, &pairs, &n_pairs)) {
      for (size_t i = 0; out->pairs && i < n_pairs; i++)
        out->pairs[out->n_pairs + i] = (struct solve_arc){
            .from = sum_u64(pairs + i * 2 * sizeof(uint64_t)),
            .count = sum_u64(pairs + (i * 2 + 1) * sizeof(uint64_t))};
      out->n_pairs += n_pairs;
    } else {
      sum_fail(&reader, sum_offset(&reader), SUM_UNKNOWN);
      return;
    }
  }
}

/* Adds equal ones up, in place. Returns how many are left. */
static size_t merge(struct solve_arc *sorted, size_t n) {
  size_t n_merged = 0;

  for (size_t i = 0; i < n;) {
    struct solve_arc sum = sorted[i];
    while (++i < n && sum_compare_arcs(&sum, &sorted[i]) == 0)
      sum.count = sum_saturating(sum.count, sorted[i].count);
    sorted[n_merged++] = sum;
  }
  return n_merged;
}

// --- Histograms ---

static struct sum_histogram histogram_at(const struct sum_reader *reader,
                                         const struct solve_arc *record) {
  struct sum_reader at = *reader;
  struct sum_histogram histogram = {0};

  at.at = at.base + record->count;
  sum_read_histogram(&at, &histogram); // as it was read before
  return histogram;
}

/* Records of one range. */
struct layers {
  const struct sum_reader *reader;
  const struct solve_arc *records;
  size_t n;
};

static bool load_layers(const void *context, size_t first, size_t n,
                        uint64_t *counts) {
  const struct layers *layers = context;
  bool is_any = false;

  for (size_t i_layer = 0; i_layer < layers->n; i_layer++) {
    const struct sum_histogram histogram =
        histogram_at(layers->reader, &layers->records[i_layer]);
    const uint8_t *const bins = histogram.bins + first * sizeof(uint16_t);
    if (sum_is_zero(bins, n))
      continue;
    for (size_t i = 0; !is_any && i < n; i++)
      counts[i] = 0;
    is_any = true;
    sum_add_bins(bins, n, counts);
  }
  return is_any;
}

static void put_histograms(const struct sum_reader *reader,
                           const struct solve_arc *records, size_t n,
                           struct write_sink *sink) {
  struct sum_histogram last = {0};

  for (size_t i = 0; i < n;) {
    struct layers group = {reader, &records[i], 1};
    const struct sum_histogram histogram = histogram_at(reader, &records[i]);
    if (last.bins && !sum_is_same_unit(&last, &histogram)) {
      sum_fail(reader, histogram.offset, SUM_OTHER_UNIT);
      return;
    }
    if (last.n_bins && histogram.n_bins && histogram.low < last.high) {
      sum_fail(reader, histogram.offset, SUM_OVERLAP);
      return;
    }
    while (++i < n && sum_compare_arcs(&records[i], group.records) == 0) {
      const struct sum_histogram more = histogram_at(reader, &records[i]);
      if (more.n_bins != histogram.n_bins ||
          !sum_is_same_unit(&histogram, &more)) {
        sum_fail(reader, more.offset,
                 more.n_bins != histogram.n_bins ? SUM_OVERLAP
                                                 : SUM_OTHER_UNIT);
        return;
      }
      group.n++;
    }
    last = histogram;
    const bool is_empty = group.n == 1 && histogram.is_empty;
    sum_put_histogram(sink, &histogram, is_empty ? NULL : load_layers, &group);
  }
}

// --- Pairs ---

/* Sorts by address, from the last byte to the first, as far as addresses
   differ: there are many, and hardly any in order. Returns where they are then.
 */
static struct solve_arc *sort_pairs(struct solve_arc *pairs, size_t n,
                                    struct solve_arc *scratch) {
  uint64_t differing = 0;

  for (size_t i = 1; i < n; i++)
    differing |= pairs[i].from ^ pairs[0].from;
  for (unsigned shift = 0; shift < 64 && differing >> shift; shift += 8) {
    size_t ends[256] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
      ends[pairs[i].from >> shift & 255]++;
    for (size_t i = 0; i < 256; i++) {
      const size_t n_digit = ends[i];
      ends[i] = sum;
      sum += n_digit;
    }
    for (size_t i = 0; i < n; i++)
      scratch[ends[pairs[i].from >> shift & 255]++] = pairs[i];
    struct solve_arc *const swap = pairs;
    pairs = scratch;
    scratch = swap;
  }
  return pairs;
}

struct sorted_pairs {
  struct write_pairs pairs; /* first, so that one pointer serves for both */
  const struct solve_arc *next, *end;
};

static size_t next_pairs(struct write_pairs *pairs, uint8_t *out, size_t room) {
  struct sorted_pairs *const sorted = (struct sorted_pairs *)pairs;
  size_t n = 0;

  for (; n < room && sorted->next < sorted->end; n++, sorted->next++) {
    const uint64_t pair[] = {sorted->next->from, sorted->next->count};
    __builtin_memcpy(out + n * sizeof(pair), pair, sizeof(pair));
  }
  return n;
}

// --- The whole file ---

static void put_sorted(const struct sum_reader *reader, struct records *records,
                       struct solve_arc *scratch, struct write_sink *sink) {
  const struct solve_arc *const histograms =
      solve_arcs_sort(records->histograms, records->n_histograms, scratch);

  put_histograms(reader, histograms, records->n_histograms, sink);
  if (reader->flaw->reason)
    return;
  struct solve_arc *const arcs =
      solve_arcs_sort(records->arcs, records->n_arcs, scratch);
  const size_t n_arcs = merge(arcs, records->n_arcs);
  for (size_t i = 0; i < n_arcs && !sink->error; i++)
    write_gmon_arc(sink, &arcs[i]);
  struct solve_arc *const pairs =
      sort_pairs(records->pairs, records->n_pairs, scratch);
  struct sorted_pairs sorted = {
      .pairs = {next_pairs},
      .next = pairs,
      .end = pairs + merge(pairs, records->n_pairs),
  };
  write_gmon_pairs(sink, &sorted.pairs);
}

static size_t max_of(size_t a, size_t b) { return a > b ? a : b; }

int sum_sort(const struct sum_file *file, const struct sum_memory *memory,
             struct write_sink *sink, struct sum_flaw *flaw) {
  struct sum_reader reader;
  struct records records = {0};

  *flaw = (struct sum_flaw){0};
  const uint8_t *const header = sum_open(file, 0, flaw, &reader);
  if (!header)
    return flaw->reason ? -1 : 0;
  read_records(reader, &records);
  if (flaw->reason)
    return -1;
  const size_t n = records.n_histograms + records.n_arcs + records.n_pairs;
  const size_t n_scratch =
      max_of(max_of(records.n_histograms, records.n_arcs), records.n_pairs);
  // No more than a file has of them: the product does not overflow.
  const size_t n_bytes = (n + n_scratch + 1) * sizeof(struct solve_arc);
  struct solve_arc *const room = memory->alloc(n_bytes);
  if (!room) {
    flaw->reason = SUM_NO_MEMORY;
    return -1;
  }
  records.histograms = room;
  records.arcs = records.histograms + records.n_histograms;
  records.pairs = records.arcs + records.n_arcs;
  read_records(reader, &records);
  sum_put_header(sink, header);
  put_sorted(&reader, &records, room + n, sink);
  memory->free(room, n_bytes);
  if (!flaw->reason && sink->error)
    flaw->reason = SUM_CANNOT_WRITE;
  return flaw->reason ? -1 : 0;
}
