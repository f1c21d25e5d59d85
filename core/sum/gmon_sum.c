/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Adds up two sorted files. Each file is read once, by a cursor that checks
   each record. */
#include <stdbool.h>

#include "arcline/gmon_format.h"
#include "sum/gmon_parts.h"

/* The position in a file, and the last records read. */
struct cursor {
  struct sum_reader reader;
  struct solve_arc arc; /* the next one, of has_arc */
  bool has_arc;
  const uint8_t *pairs; /* those to come */
  size_t n_pairs;
  uint64_t last; /* address of the pair before */
};

static bool has_failed(const struct sum_flaw *flaw) {
  return flaw->reason != SUM_FINE;
}

// --- Histograms ---

/* Records of one range, one after the other; those of a file. */
struct layers {
  const uint8_t *bins; /* of the first; NULL: there are none */
  size_t n, stride;
};

struct bin_sums {
  struct layers layers[2];
};

static bool load_sums(const void *context, size_t first, size_t n,
                      uint64_t *counts) {
  const struct bin_sums *sums = context;
  bool is_any = false;

  for (size_t i_file = 0; i_file < 2; i_file++) {
    const struct layers *layers = &sums->layers[i_file];
    for (size_t i_layer = 0; i_layer < layers->n; i_layer++) {
      const uint8_t *const bins =
          layers->bins + i_layer * layers->stride + first * sizeof(uint16_t);
      if (sum_is_zero(bins, n))
        continue;
      for (size_t i = 0; !is_any && i < n; i++)
        counts[i] = 0;
      is_any = true;
      sum_add_bins(bins, n, counts);
    }
  }
  return is_any;
}

/* Reads the records of the next range, if the file is at one. */
static bool read_layers(struct sum_reader *reader,
                        struct sum_histogram *histogram, struct layers *out) {
  struct sum_reader next = *reader;

  *out = (struct layers){0};
  if (!sum_read_histogram(&next, histogram))
    return false;
  *out = (struct layers){histogram->bins, 1, histogram->record_bytes};
  for (struct sum_histogram more;;) {
    *reader = next;
    if (!sum_read_histogram(&next, &more) ||
        sum_compare_ranges(histogram, &more))
      return true;
    if (!sum_is_same_unit(histogram, &more))
      return sum_fail(&next, more.offset, SUM_OTHER_UNIT);
    if (histogram->n_bins != more.n_bins)
      return sum_fail(&next, more.offset, SUM_OVERLAP);
    out->n++;
  }
}

/* May it follow the one before? */
static bool check_order(const struct sum_reader *reader,
                        const struct sum_histogram *last,
                        const struct sum_histogram *next) {
  if (!last->bins)
    return true;
  if (!sum_is_same_unit(last, next))
    return sum_fail(reader, next->offset, SUM_OTHER_UNIT);
  if (sum_compare_ranges(last, next) >= 0)
    return sum_fail(reader, next->offset, SUM_NOT_SORTED);
  if (last->n_bins && next->n_bins && next->low < last->high)
    return sum_fail(reader, next->offset, SUM_OVERLAP);
  return true;
}

static void add_histograms(struct cursor cursors[2], struct write_sink *sink,
                           const struct sum_flaw *flaw) {
  struct sum_histogram last = {0};

  for (;;) {
    struct sum_histogram heads[2];
    struct bin_sums sums;
    struct sum_reader next[2] = {cursors[0].reader, cursors[1].reader};
    for (size_t i = 0; i < 2; i++) {
      if (read_layers(&next[i], &heads[i], &sums.layers[i]) &&
          !check_order(&next[i], &last, &heads[i]))
        return;
      if (has_failed(flaw))
        return;
    }
    if (!sums.layers[0].n && !sums.layers[1].n)
      return;
    const int order = !sums.layers[0].n ? 1
                      : !sums.layers[1].n
                          ? -1
                          : sum_compare_ranges(&heads[0], &heads[1]);
    const size_t i_first = order > 0;
    for (size_t i = 0; i < 2; i++) {
      if (order && i != i_first)
        sums.layers[i].n = 0; // its turn comes later
      else
        cursors[i].reader = next[i];
    }
    if (!order && heads[0].n_bins != heads[1].n_bins) {
      sum_fail(&next[1], heads[1].offset, SUM_OVERLAP);
      return;
    }
    if (!order && !sum_is_same_unit(&heads[0], &heads[1])) {
      sum_fail(&next[1], heads[1].offset, SUM_OTHER_UNIT);
      return;
    }
    for (size_t i = 0; i < 2; i++)
      if (sums.layers[i].n == 1 && heads[i].is_empty)
        sums.layers[i].n = 0; // nothing to add
    last = heads[i_first];
    const bool is_empty = !sums.layers[0].n && !sums.layers[1].n;
    sum_put_histogram(sink, &last, is_empty ? NULL : load_sums, &sums);
  }
}

// --- Arcs ---

/* Reads the records of the next pair of ends. */
static void read_arc(struct cursor *cursor) {
  struct sum_reader next = cursor->reader;
  const struct solve_arc last = cursor->arc;
  const bool is_first = !cursor->has_arc;
  struct solve_arc more;

  cursor->has_arc = sum_read_arc(&next, &cursor->arc);
  if (!cursor->has_arc)
    return;
  if (!is_first && sum_compare_arcs(&last, &cursor->arc) > 0)
    sum_fail(&cursor->reader, sum_offset(&cursor->reader), SUM_NOT_SORTED);
  cursor->reader = next;
  while (sum_read_arc(&next, &more) &&
         sum_compare_arcs(&cursor->arc, &more) == 0) {
    cursor->arc.count = sum_saturating(cursor->arc.count, more.count);
    cursor->reader = next;
  }
}

static void add_arcs(struct cursor cursors[2], struct write_sink *sink,
                     const struct sum_flaw *flaw) {
  struct cursor *const a = &cursors[0], *const b = &cursors[1];

  read_arc(a);
  read_arc(b);
  while ((a->has_arc || b->has_arc) && !sink->error && !has_failed(flaw)) {
    const int order = !a->has_arc   ? 1
                      : !b->has_arc ? -1
                                    : sum_compare_arcs(&a->arc, &b->arc);
    struct solve_arc arc = order <= 0 ? a->arc : b->arc;
    if (order == 0)
      arc.count = sum_saturating(arc.count, b->arc.count);
    if (order <= 0)
      read_arc(a);
    if (order >= 0)
      read_arc(b);
    write_gmon_arc(sink, &arc);
  }
}

// --- Blocks and cells ---

struct pair {
  uint64_t address, count;
};

static struct pair pair_at(const uint8_t *at) {
  return (struct pair){sum_u64(at), sum_u64(at + sizeof(uint64_t))};
}

static uint8_t *put_pair(uint8_t *at, struct pair pair) {
  __builtin_memcpy(at, &pair, sizeof(pair));
  return at + sizeof(pair);
}

struct pair_sums {
  struct write_pairs pairs; /* first, so that one pointer serves for both */
  struct cursor *cursors;
  bool has_begun;
};

/* Passes a pair that has been read. Returns false if the order is wrong. */
static bool pass(struct cursor *cursor, uint64_t address, bool is_first) {
  if (!is_first && address <= cursor->last)
    return sum_fail(&cursor->reader,
                    (uint64_t)(cursor->pairs - cursor->reader.base),
                    SUM_NOT_SORTED);
  cursor->last = address;
  cursor->pairs += sizeof(struct pair);
  cursor->n_pairs--;
  return true;
}

/* The fast path: most files have the same addresses. */
static uint8_t *put_equal(struct cursor *a, struct cursor *b, uint8_t *at,
                          const uint8_t *end) {
  while (at < end && a->n_pairs && b->n_pairs) {
    const struct pair left = pair_at(a->pairs), right = pair_at(b->pairs);
    if (left.address != right.address || left.address <= a->last)
      break;
    at = put_pair(at, (struct pair){left.address,
                                    sum_saturating(left.count, right.count)});
    a->last = b->last = left.address;
    a->pairs += sizeof(left);
    b->pairs += sizeof(right);
    a->n_pairs--;
    b->n_pairs--;
  }
  return at;
}

static size_t next_sums(struct write_pairs *pairs, uint8_t *out, size_t room) {
  struct pair_sums *sums = (struct pair_sums *)pairs;
  struct cursor *const a = &sums->cursors[0], *const b = &sums->cursors[1];
  uint8_t *at = out;
  const uint8_t *const end = out + room * sizeof(struct pair);

  while (at < end && (a->n_pairs || b->n_pairs)) {
    const bool is_first = !sums->has_begun;
    const struct pair left = a->n_pairs ? pair_at(a->pairs) : (struct pair){0};
    const struct pair right = b->n_pairs ? pair_at(b->pairs) : (struct pair){0};
    const bool is_left =
        a->n_pairs && (!b->n_pairs || left.address <= right.address);
    const bool is_right =
        b->n_pairs && (!a->n_pairs || right.address <= left.address);
    if ((is_left && !pass(a, left.address, is_first)) ||
        (is_right && !pass(b, right.address, is_first)))
      return 0;
    // The next record of each must come after both.
    a->last = b->last = is_left ? left.address : right.address;
    sums->has_begun = true;
    at = put_pair(
        at, (struct pair){a->last, sum_saturating(is_left ? left.count : 0,
                                                  is_right ? right.count : 0)});
    at = put_equal(a, b, at, end);
  }
  return (size_t)(at - out) / sizeof(struct pair);
}

static void add_pairs(struct cursor cursors[2], struct write_sink *sink) {
  struct pair_sums sums = {.pairs = {next_sums}, .cursors = cursors};

  for (size_t i = 0; i < 2; i++)
    sum_read_pairs(&cursors[i].reader, &cursors[i].pairs, &cursors[i].n_pairs);
  write_gmon_pairs(sink, &sums.pairs);
}

// --- Whole files ---

/* Nothing may follow. */
static void check_end(const struct sum_reader *reader) {
  if (reader->at < reader->end)
    sum_fail(reader, sum_offset(reader),
             *reader->at <= GMON_TAG_BLOCKS ? SUM_NOT_SORTED : SUM_UNKNOWN);
}

int sum_gmon(const struct sum_file files[2], struct write_sink *sink,
             struct sum_flaw *flaw) {
  struct cursor cursors[2] = {0};
  const uint8_t *headers[2] = {0};

  *flaw = (struct sum_flaw){0};
  for (size_t i = 0; i < 2; i++)
    headers[i] = sum_open(&files[i], i, flaw, &cursors[i].reader);
  if (headers[0] && headers[1] && !sum_is_same_image(headers[0], headers[1]))
    sum_fail(&cursors[1].reader, 0, SUM_OTHER_IMAGE);
  if (has_failed(flaw))
    return -1;
  if (headers[0] || headers[1])
    sum_put_header(sink, headers[0] ? headers[0] : headers[1]);
  add_histograms(cursors, sink, flaw);
  if (!has_failed(flaw))
    add_arcs(cursors, sink, flaw);
  if (!has_failed(flaw))
    add_pairs(cursors, sink);
  for (size_t i = 0; i < 2 && !has_failed(flaw) && !sink->error; i++)
    check_end(&cursors[i].reader);
  if (!has_failed(flaw) && sink->error)
    flaw->reason = SUM_CANNOT_WRITE;
  return has_failed(flaw) ? -1 : 0;
}
