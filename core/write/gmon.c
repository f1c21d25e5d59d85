/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts too large for their field are spread over several records. */
#include "write/gmon.h"
#include "arcline/gmon_format.h"

enum { ARC_BYTES = 1 + 2 * sizeof(uintptr_t) + sizeof(uint32_t) };

/* More than this in one bin, and GNU gprof's int wraps. */
#define MAX_BIN_COUNT ((uint64_t)INT32_MAX)

static void put_u8(struct write_sink *sink, uint8_t value) {
  write_sink_put(sink, &value, sizeof(value));
}

static void put_u32(struct write_sink *sink, uint32_t value) {
  write_sink_put(sink, &value, sizeof(value));
}

static void put_ptr(struct write_sink *sink, uint64_t value) {
  const uintptr_t narrow = (uintptr_t)value;

  write_sink_put(sink, &narrow, sizeof(narrow));
}

void write_gmon_header(struct write_sink *sink, const uint8_t *build_id) {
  uint8_t spare[GMON_SPARE_BYTES] = {0};

  if (build_id) {
    __builtin_memcpy(spare, GMON_ARCLINE_MARK, GMON_ARCLINE_MARK_BYTES);
    __builtin_memcpy(spare + GMON_ARCLINE_MARK_BYTES, build_id,
                     GMON_ARCLINE_BUILD_ID_BYTES);
  }
  write_sink_put(sink, GMON_MAGIC, GMON_MAGIC_BYTES);
  put_u32(sink, GMON_VERSION);
  write_sink_put(sink, spare, sizeof(spare));
}

/* Puts the part of each bin in (base, base + 65535]. Returns whether a bin has
   more than that. */
static bool put_chunk(struct write_sink *sink, const uint64_t *counts, size_t n,
                      uint64_t base) {
  uint8_t *at = write_sink_reserve(sink, n * sizeof(uint16_t));
  bool has_more = false;

  for (size_t i = 0; i < n; i++) {
    const uint64_t count =
        counts[i] < MAX_BIN_COUNT ? counts[i] : MAX_BIN_COUNT;
    const uint64_t rest = count > base ? count - base : 0;
    const uint16_t part = rest < UINT16_MAX ? (uint16_t)rest : UINT16_MAX;
    __builtin_memcpy(at + i * sizeof(part), &part, sizeof(part));
    has_more |= rest > UINT16_MAX;
  }
  return has_more;
}

/* The same for all bins. */
static bool put_bins(struct write_sink *sink,
                     const struct write_histogram *histogram, uint64_t base) {
  const size_t n_bins = histogram->n_bins;
  uint64_t counts[WRITE_LOAD_BINS];
  bool has_more = false;
  size_t n_zeros = histogram->load ? 0 : n_bins;

  for (size_t first = n_zeros; first < n_bins; first += WRITE_LOAD_BINS) {
    if (histogram->skip) {
      const size_t next = histogram->skip(histogram->context, first, n_bins);
      n_zeros += (next < n_bins ? next : n_bins) - first;
      if (next >= n_bins)
        break;
      first = next;
    }
    const size_t n =
        n_bins - first < WRITE_LOAD_BINS ? n_bins - first : WRITE_LOAD_BINS;
    if (!histogram->load(histogram->context, first, n, counts)) {
      n_zeros += n;
      continue;
    }
    sink->put_zeros(sink, n_zeros * sizeof(uint16_t));
    n_zeros = 0;
    has_more |= put_chunk(sink, counts, n, base);
  }
  sink->put_zeros(sink, n_zeros * sizeof(uint16_t));
  return has_more;
}

void write_gmon_histogram(struct write_sink *sink,
                          const struct write_histogram *histogram) {
  bool has_more = true;

  for (uint64_t base = 0; has_more && !sink->error; base += UINT16_MAX) {
    put_u8(sink, GMON_TAG_HISTOGRAM);
    put_ptr(sink, histogram->low_vaddr);
    put_ptr(sink, histogram->high_vaddr);
    put_u32(sink, (uint32_t)histogram->n_bins);
    put_u32(sink, histogram->rate);
    write_sink_put(sink, histogram->dimension, GMON_DIMENSION_BYTES);
    put_u8(sink, (uint8_t)histogram->abbreviation);
    has_more = put_bins(sink, histogram, base);
  }
}

static bool load_text(const void *context, size_t first, size_t n,
                      uint64_t *counts) {
  const struct write_text *text = context;

  for (size_t i = 0; i < n; i++)
    counts[i] = __atomic_load_n(&text->bins[first + i], __ATOMIC_RELAXED);
  return true;
}

static size_t skip_text(const void *context, size_t first, size_t n_bins) {
  const struct write_text *text = context;

  return write_next_bin(text->touched, first, n_bins);
}

static void put_text(struct write_sink *sink,
                     const struct write_profile *profile,
                     const struct write_text *text) {
  char dimension[GMON_DIMENSION_BYTES] = {0};
  const struct write_histogram histogram = {
      .low_vaddr = text->low_vaddr,
      .high_vaddr = text->high_vaddr,
      .n_bins = write_n_bins(text, profile->bin_bytes),
      .rate = profile->rate,
      .dimension = dimension,
      .abbreviation = profile->abbreviation,
      .load = text->bins ? load_text : NULL,
      .skip = skip_text,
      .context = text,
  };

  for (size_t i = 0; i < sizeof(dimension) && profile->dimension[i]; i++)
    dimension[i] = profile->dimension[i];
  write_gmon_histogram(sink, &histogram);
}

void write_gmon_arc(struct write_sink *sink, const struct solve_arc *arc) {
  for (uint64_t left = arc->count; left && !sink->error;) {
    const uint32_t part = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
    uint8_t *at = write_sink_reserve(sink, ARC_BYTES);
    const uintptr_t pcs[2] = {(uintptr_t)arc->from, (uintptr_t)arc->self};
    *at++ = GMON_TAG_ARC;
    __builtin_memcpy(at, pcs, sizeof(pcs));
    __builtin_memcpy(at + sizeof(pcs), &part, sizeof(part));
    left -= part;
  }
}

/* Pairs of a profile. */
struct profile_pairs {
  struct write_pairs pairs; /* first, so that one pointer serves for both */
  const struct write_profile *profile;
  size_t i_cell; /* to be read */
};

static size_t next_blocks(struct write_pairs *pairs, uint8_t *out,
                          size_t room) {
  const struct profile_pairs *of = (struct profile_pairs *)pairs;

  return solve_next_blocks(of->profile->solver, out, room);
}

/* Cells that are not 0. */
static size_t next_cells(struct write_pairs *pairs, uint8_t *out, size_t room) {
  struct profile_pairs *const of = (struct profile_pairs *)pairs;
  const uint64_t *const cells = of->profile->cells;
  const size_t n_cells = of->profile->n_cells;
  const uint64_t vaddr = of->profile->cells_vaddr;
  size_t i = of->i_cell;
  size_t n = 0;

  while (i < n_cells && n < room) {
    if (i % SOLVE_PART_CELLS == 0 &&
        !solve_is_touched(of->profile->touched, i, i)) {
      i += SOLVE_PART_CELLS;
      continue;
    }
    if (n_cells - i >= 4 &&
        !(cells[i] | cells[i + 1] | cells[i + 2] | cells[i + 3])) {
      i += 4;
      continue;
    }
    const uintptr_t pair[] = {(uintptr_t)(vaddr + i * sizeof(*cells)),
                              (uintptr_t)cells[i]};
    __builtin_memcpy(out + n * sizeof(pair), pair, sizeof(pair));
    n += cells[i++] != 0;
  }
  of->i_cell = i;
  return n;
}

void write_gmon_pairs(struct write_sink *sink, struct write_pairs *pairs) {
  const size_t head_bytes = 1 + sizeof(uint32_t);
  const size_t pair_bytes = 2 * sizeof(uintptr_t);
  uint8_t *at = write_sink_reserve(sink, WRITE_SINK_ROOM);
  const uint64_t offset = sink->offset + (uint64_t)(at - sink->first);
  size_t n = pairs->next(pairs, at + head_bytes,
                         (WRITE_SINK_ROOM - head_bytes) / pair_bytes);
  uint32_t sum = (uint32_t)n;

  if (!n) {
    sink->at = at;
    return;
  }
  at[0] = GMON_TAG_BLOCKS;
  sink->at = at + head_bytes + n * pair_bytes;
  while (n && !sink->error) {
    at = write_sink_reserve(sink, WRITE_SINK_ROOM);
    n = pairs->next(pairs, at, WRITE_SINK_ROOM / pair_bytes);
    sink->at = at + n * pair_bytes;
    sum += (uint32_t)n;
  }
  // Their number is known now.
  sink->patch(sink, offset + 1, &sum, sizeof(sum));
}

int write_gmon(const struct write_profile *profile, struct write_sink *sink) {
  struct profile_pairs blocks = {.pairs = {next_blocks}, .profile = profile};
  struct profile_pairs cells = {.pairs = {next_cells}, .profile = profile};

  write_gmon_header(sink, profile->build_id);
  for (size_t i = 0; i < profile->n_texts; i++)
    put_text(sink, profile, &profile->texts[i]);
  // A count below zero would take 2^32 records: protect the disk from it.
  for (size_t i = 0; i < profile->n_arcs; i++)
    if ((int64_t)profile->arcs[i].count > 0)
      write_gmon_arc(sink, &profile->arcs[i]);
  if (profile->solver)
    write_gmon_pairs(sink, &blocks.pairs);
  write_gmon_pairs(sink, &cells.pairs);
  return sink->error;
}
