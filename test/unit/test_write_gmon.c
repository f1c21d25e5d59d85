/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The serialiser: layout, counts that exceed their field, a sink that fails. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arcline/gmon_format.h"
#include "memory_sink.h"
#include "write/gmon.h"

enum { N_BINS = 1000 };

static uint64_t bins[N_BINS];
static uint8_t touched[2];
static uint8_t *bytes; // of the file written last

static const struct write_text texts[] = {
    {.low_vaddr = 0x1000,
     .high_vaddr = 0x1000 + 2 * N_BINS,
     .bins = bins,
     .touched = touched},
    {.low_vaddr = 0x4000, .high_vaddr = 0x4000 + 2}};
static struct solve_arc arcs[] = {{0x1100, 0x1200, 0x2fffffffful},
                                  {0, 0x1200, 1},
                                  {0x1180, 0x1200, (uint64_t)-1}}; // no record
static const uint64_t pairs[][2] = {{0x1200, 0}, {0x1300, (uint64_t)1 << 40}};
static size_t n_pairs_left, n_pairs_at_once;
static bool is_first_call; // of solve_next_blocks(): the tag precedes

/* The pairs, the last one repeatedly until none is left. */
size_t solve_next_blocks(struct solver *unused, uint8_t *out, size_t room) {
  size_t n = n_pairs_left < room ? n_pairs_left : room;

  (void)unused;
  assert_true(room * sizeof(*pairs) <=
              WRITE_SINK_ROOM - (is_first_call ? 1 + sizeof(uint32_t) : 0));
  is_first_call = false;
  n = n < n_pairs_at_once ? n : n_pairs_at_once;
  for (size_t i = 0; i < n; i++)
    memcpy(out + i * sizeof(*pairs), pairs[n_pairs_left-- == 2 ? 0 : 1],
           sizeof(*pairs));
  return n;
}

/* The source of blocks does not matter here. */
struct solver {
  int unused;
};
static struct solver solver;
/* Alone among four that are 0, and around them. */
static uint64_t cells[] = {0, 0, 0, 0, 0, 0, 0, 9, 77, 0, 0, 0, 0, 0, 78};

static const struct write_profile profile = {
    .build_id = (const uint8_t *)"ABCDEFGHIJ",
    .texts = texts,
    .n_texts = 2,
    .bin_bytes = 2,
    .dimension = "seconds of 15 bytes and more",
    .abbreviation = 's',
    .rate = 100,
    .arcs = arcs,
    .n_arcs = 3,
    .solver = &solver,
    .cells = cells,
    .n_cells = sizeof(cells) / sizeof(*cells),
    .cells_vaddr = 0x5000,
};

static uint64_t number(size_t at, size_t n) {
  uint64_t value = 0;

  memcpy(&value, bytes + at, n);
  return value;
}

static int clear(void **state) {
  (void)state;
  memset(bins, 0, sizeof(bins));
  memset(touched, 0, sizeof(touched));
  n_pairs_left = 2;
  n_pairs_at_once = 100;
  return 0;
}

static struct memory_sink write_all(size_t fails_at) {
  static struct memory_sink memory;

  memory_sink_init(&memory);
  memory.fails_at = fails_at;
  memory.error = -EIO;
  is_first_call = true;
  const int rc = write_gmon(&profile, &memory.sink);
  assert_int_equal(rc, memory.sink.error);
  memory_sink_flush(&memory.sink);
  free(bytes);
  bytes = memory.bytes;
  return memory;
}

static void layout_is_exact(void **state) {
  size_t at = 20;

  (void)state;
  touched[1] = 1;
  bins[512] = 4; // the first of its chunk
  bins[999] = 3;
  bins[0] = 9; // in a chunk that is not marked: never read
  struct memory_sink memory = write_all(0);
  assert_int_equal(memory.sink.error, 0);
  assert_memory_equal(bytes, "gmon\1\0\0\0ARC1ABCDEFGH", 20);
  assert_int_equal(bytes[at], 0);
  assert_int_equal(number(at + 1, 8), 0x1000);
  assert_int_equal(number(at + 9, 8), 0x1000 + 2 * N_BINS);
  assert_int_equal(number(at + 17, 4), N_BINS);
  assert_int_equal(number(at + 21, 4), 100);
  assert_memory_equal(bytes + at + 25, "seconds of 15 bs", 16);
  assert_int_equal(number(at + 41, 2), 0);
  assert_int_equal(number(at + 41 + 2 * 512, 2), 4);
  assert_int_equal(number(at + 41 + 2 * 999, 2), 3);
  at += 41 + 2 * N_BINS;
  assert_int_equal(number(at + 1, 8), 0x4000);
  assert_int_equal(number(at + 17, 4), 1);
  at += 41 + 2;
  // 0x2ffffffff is three times the largest count and 2.
  for (int i = 0; i < 3; i++, at += 21) {
    assert_int_equal(bytes[at], 1);
    assert_int_equal(number(at + 1, 8), 0x1100);
    assert_int_equal(number(at + 9, 8), 0x1200);
    assert_int_equal(number(at + 17, 4), 0xffffffff);
  }
  assert_int_equal(number(at + 17, 4), 2);
  at += 21;
  assert_int_equal(number(at + 1, 8), 0);
  assert_int_equal(number(at + 17, 4), 1);
  at += 21;
  assert_int_equal(bytes[at], 2);
  assert_int_equal(number(at + 1, 4), 2);
  assert_int_equal(number(at + 5, 8), 0x1200);
  assert_int_equal(number(at + 13, 8), 0);
  assert_int_equal(number(at + 21, 8), 0x1300);
  assert_int_equal(number(at + 29, 8), (uint64_t)1 << 40);
  at += 37;
  assert_int_equal(bytes[at], 2);
  assert_int_equal(number(at + 1, 4), 3);
  at += 5;
  for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
    if (cells[i] == 0)
      continue;
    assert_int_equal(number(at, 8), 0x5000 + 8 * i);
    assert_int_equal(number(at + 8, 8), cells[i]);
    at += 16;
  }
  assert_int_equal(at, memory.n_bytes);
}

static bool load_ones(const void *context, size_t first, size_t n,
                      uint64_t *counts) {
  assert_true(n > 0 && first + n <= *(const size_t *)context);
  for (size_t i = 0; i < n; i++)
    counts[i] = 1;
  return true;
}

/* A source of counts is called only for existing bins, whatever their
   number. */
static void bins_are_loaded_once(void **state) {
  const char dimension[GMON_DIMENSION_BYTES] = "seconds";

  (void)state;
  for (size_t n_bins = 0; n_bins <= 2 * WRITE_LOAD_BINS; n_bins++) {
    struct memory_sink memory;
    const struct write_histogram histogram = {.high_vaddr = 2 * n_bins,
                                              .n_bins = n_bins,
                                              .dimension = dimension,
                                              .load = load_ones,
                                              .context = &n_bins};
    memory_sink_init(&memory);
    write_gmon_histogram(&memory.sink, &histogram);
    memory_sink_flush(&memory.sink);
    free(bytes);
    bytes = memory.bytes;
    assert_int_equal(memory.n_bytes, 41 + 2 * n_bins);
    for (size_t i = 0; i < n_bins; i++)
      assert_int_equal(number(41 + 2 * i, 2), 1);
  }
}

/* The number of pairs is stored after all pairs. */
static void blocks_come_bit_by_bit(void **state) {
  static const size_t at_once[] = {1, 7, 255, 256, 1000};

  (void)state;
  for (size_t i = 0; i < sizeof(at_once) / sizeof(*at_once); i++) {
    n_pairs_left = 0;
    n_pairs_at_once = at_once[i];
    const size_t n_bytes_without = write_all(0).n_bytes;
    n_pairs_left = 1000;
    const struct memory_sink memory = write_all(0);
    assert_int_equal(memory.n_bytes, n_bytes_without + 5 + 16 * 1000);
    const size_t at = n_bytes_without - 53; // cells follow
    assert_int_equal(bytes[at], 2);
    assert_int_equal(number(at + 1, 4), 1000);
    assert_int_equal(number(at + 5 + 16 * 998, 8), 0x1200);
    assert_int_equal(number(at + 5 + 16 * 999, 8), 0x1300);
  }
}

/* Adds up one bin over all histogram records; returns how many there are. */
static size_t sum_bin(size_t i_bin, uint64_t *sum) {
  size_t n = 0;
  size_t at = 20;

  *sum = 0;
  for (; number(at + 1, 8) == 0x1000; at += 41 + 2 * N_BINS, n++)
    *sum += number(at + 41 + 2 * i_bin, 2);
  return n;
}

static void large_bins_are_spread_over_records(void **state) {
  static const uint64_t counts[] = {0,     1,      65534,  65535,
                                    65536, 131070, 131071, 1000000};
  static const size_t n_records[] = {1, 1, 1, 1, 2, 2, 3, 16};
  uint64_t sum;

  (void)state;
  touched[0] = 1;
  for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
    bins[17] = counts[i];
    bins[18] = 5;
    write_all(0);
    assert_int_equal(sum_bin(17, &sum), n_records[i]);
    assert_int_equal(sum, counts[i]);
    sum_bin(18, &sum);
    assert_int_equal(sum, 5);
  }
}

static void error_of_sink_is_sticky(void **state) {
  const uint64_t before = arcs[0].count;

  (void)state;
  arcs[0].count = (uint64_t)UINT32_MAX * 3000; // as many records
  const size_t n_flushes = write_all(0).n_flushes;
  assert_true(n_flushes > 5);
  for (size_t n = 1; n <= n_flushes; n++) {
    n_pairs_left = 2;
    const struct memory_sink memory = write_all(n);
    assert_int_equal(memory.sink.error, -EIO);
    assert_int_equal(memory.n_flushes, n);
  }
  arcs[0].count = before;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(layout_is_exact, clear),
      cmocka_unit_test(bins_are_loaded_once),
      cmocka_unit_test_setup(blocks_come_bit_by_bit, clear),
      cmocka_unit_test_setup(large_bins_are_spread_over_records, clear),
      cmocka_unit_test_setup(error_of_sink_is_sticky, clear),
  };

  const int rc = cmocka_run_group_tests(tests, NULL, NULL);
  free(bytes);
  return rc;
}
