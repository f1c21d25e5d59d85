/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counts too large for their field are spread over several records. */
#include "write/gmon.h"
#include "arcline/gmon_format.h"

enum { ARC_BYTES = 1 + 2 * sizeof(uintptr_t) + sizeof(uint32_t) };

/* More than this in one bin, and GNU gprof's int wraps. */
#define MAX_BIN_COUNT ((uint64_t)INT32_MAX)

static void put_u8(struct write_sink *sink, uint8_t value) {
  write_sink_put(sink, &value, sizeof value);
}

static void put_u32(struct write_sink *sink, uint32_t value) {
  write_sink_put(sink, &value, sizeof value);
}

static void put_ptr(struct write_sink *sink, uint64_t value) {
  const uintptr_t narrow = (uintptr_t)value;

  write_sink_put(sink, &narrow, sizeof narrow);
}

static void put_header(struct write_sink *sink, const uint8_t *build_id) {
  static const uint8_t padding[GMON_SPARE_BYTES - GMON_ARCLINE_MARK_BYTES -
                               GMON_ARCLINE_BUILD_ID_BYTES + 1];

  write_sink_put(sink, GMON_MAGIC, GMON_MAGIC_BYTES);
  put_u32(sink, GMON_VERSION);
  write_sink_put(sink, GMON_ARCLINE_MARK, GMON_ARCLINE_MARK_BYTES);
  write_sink_put(sink, build_id, GMON_ARCLINE_BUILD_ID_BYTES);
  write_sink_put(sink, padding, sizeof padding - 1);
}

static uint64_t bin_count(const struct write_text *text, size_t i_bin) {
  const uint64_t count = __atomic_load_n(&text->bins[i_bin], __ATOMIC_RELAXED);

  return count < MAX_BIN_COUNT ? count : MAX_BIN_COUNT;
}

/* Puts what of each bin lies in (base, base + 65535]. Returns whether a bin has
   more than that. */
static bool put_chunk(struct write_sink *sink, const struct write_text *text,
                      size_t first, size_t n, uint64_t base) {
  uint8_t *at = write_sink_take(sink, n * sizeof(uint16_t));
  bool has_more = false;

  for (size_t i = 0; i < n; i++) {
    const uint64_t count = bin_count(text, first + i);
    const uint64_t rest = count > base ? count - base : 0;
    const uint16_t part = rest < UINT16_MAX ? (uint16_t)rest : UINT16_MAX;
    __builtin_memcpy(at + i * sizeof part, &part, sizeof part);
    has_more |= rest > UINT16_MAX;
  }
  return has_more;
}

/* The same for all bins. */
static bool put_bins(struct write_sink *sink, const struct write_text *text,
                     size_t n_bins, uint64_t base) {
  bool has_more = false;
  size_t n_zeros = 0;

  for (size_t first = 0; first < n_bins; first += WRITE_CHUNK_BINS) {
    const size_t n =
        n_bins - first < WRITE_CHUNK_BINS ? n_bins - first : WRITE_CHUNK_BINS;
    if (!text->bins ||
        !__atomic_load_n(&text->touched[first / WRITE_CHUNK_BINS],
                         __ATOMIC_ACQUIRE)) {
      n_zeros += n;
      continue;
    }
    sink->put_zeros(sink, n_zeros * sizeof(uint16_t));
    n_zeros = 0;
    has_more |= put_chunk(sink, text, first, n, base);
  }
  sink->put_zeros(sink, n_zeros * sizeof(uint16_t));
  return has_more;
}

static void put_histogram(struct write_sink *sink,
                          const struct write_profile *profile,
                          const struct write_text *text) {
  char dimension[GMON_DIMENSION_BYTES] = {0};
  const size_t n_bins = write_n_bins(text, profile->bin_bytes);
  bool has_more = true;

  for (size_t i = 0; i < sizeof dimension && profile->dimension[i]; i++)
    dimension[i] = profile->dimension[i];
  for (uint64_t base = 0; has_more && !sink->error; base += UINT16_MAX) {
    put_u8(sink, GMON_TAG_HISTOGRAM);
    put_ptr(sink, text->low_vaddr);
    put_ptr(sink, text->high_vaddr);
    put_u32(sink, (uint32_t)n_bins);
    put_u32(sink, profile->rate);
    write_sink_put(sink, dimension, GMON_DIMENSION_BYTES);
    put_u8(sink, (uint8_t)profile->abbreviation);
    has_more = put_bins(sink, text, n_bins, base);
  }
}

static void put_arc(struct write_sink *sink, const struct solve_arc *arc) {
  // A count below zero would be 2^32 records; whatever made it, spare the disk.
  if ((int64_t)arc->count < 0)
    return;
  for (uint64_t left = arc->count; left && !sink->error;) {
    const uint32_t part = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
    uint8_t *at = write_sink_take(sink, ARC_BYTES);
    const uintptr_t pcs[2] = {(uintptr_t)arc->from, (uintptr_t)arc->self};
    *at++ = GMON_TAG_ARC;
    __builtin_memcpy(at, pcs, sizeof pcs);
    __builtin_memcpy(at + sizeof pcs, &part, sizeof part);
    left -= part;
  }
}

/* Pairs of address and count: as many as there is room for, which is how many
   were put; 0: there are no more. */
struct pairs {
  size_t (*next)(struct pairs *pairs, uint8_t *out, size_t room);
  const struct write_profile *profile;
  size_t i_cell; /* to be looked at */
};

static size_t next_blocks(struct pairs *pairs, uint8_t *out, size_t room) {
  return solve_next_blocks(pairs->profile->solver, out, room);
}

/* Cells that are not 0. */
static size_t next_cells(struct pairs *pairs, uint8_t *out, size_t room) {
  const uint64_t *const cells = pairs->profile->cells;
  const size_t n_cells = pairs->profile->n_cells;
  const uint64_t vaddr = pairs->profile->cells_vaddr;
  size_t i = pairs->i_cell;
  size_t n = 0;

  while (i < n_cells && n < room) {
    if (n_cells - i >= 4 &&
        !(cells[i] | cells[i + 1] | cells[i + 2] | cells[i + 3])) {
      i += 4;
      continue;
    }
    const uintptr_t pair[] = {(uintptr_t)(vaddr + i * sizeof *cells),
                              (uintptr_t)cells[i]};
    __builtin_memcpy(out + n * sizeof pair, pair, sizeof pair);
    n += cells[i++] != 0;
  }
  pairs->i_cell = i;
  return n;
}

static void put_pairs(struct write_sink *sink, struct pairs *pairs) {
  const size_t head_bytes = 1 + sizeof(uint32_t);
  const size_t pair_bytes = 2 * sizeof(uintptr_t);
  uint8_t *at = write_sink_take(sink, WRITE_SINK_ROOM);
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
    at = write_sink_take(sink, WRITE_SINK_ROOM);
    n = pairs->next(pairs, at, WRITE_SINK_ROOM / pair_bytes);
    sink->at = at + n * pair_bytes;
    sum += (uint32_t)n;
  }
  // How many there are is known now.
  sink->patch(sink, offset + 1, &sum, sizeof sum);
}

int write_gmon(const struct write_profile *profile, struct write_sink *sink) {
  struct pairs blocks = {.next = next_blocks, .profile = profile};
  struct pairs cells = {.next = next_cells, .profile = profile};

  put_header(sink, profile->build_id);
  for (size_t i = 0; i < profile->n_texts; i++)
    put_histogram(sink, profile, &profile->texts[i]);
  for (size_t i = 0; i < profile->n_arcs; i++)
    put_arc(sink, &profile->arcs[i]);
  if (profile->solver)
    put_pairs(sink, &blocks);
  put_pairs(sink, &cells);
  return sink->error;
}
