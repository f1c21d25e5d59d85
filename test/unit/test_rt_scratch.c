/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* os/scratch: properties of pieces, and the number of unused pages. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/scratch.h"

enum { N_PIECES = 4, SMALL = 1000, LARGE = 100 << 10 };

static int open_scratch(void **unused) {
  (void)unused;
  rt_scratch_open();
  return 0;
}

static int close_scratch(void **unused) {
  (void)unused;
  rt_scratch_close(false);
  return 0;
}

static void assert_zero(const uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    assert_int_equal(bytes[i], 0);
}

static void fill(uint8_t *bytes, size_t n, int value) {
  for (size_t i = 0; i < n; i++)
    bytes[i] = (uint8_t)value;
}

/* Writes to n pieces, and frees the last one first. */
static void use_and_free(uint8_t **pieces, int n, size_t bytes) {
  for (int i = 0; i < n; i++) {
    pieces[i] = rt_alloc(bytes);
    fill(pieces[i], bytes, 1);
  }
  for (int i = n; i > 0; i--)
    rt_free(pieces[i - 1], bytes);
}

static void test_pieces_are_apart(void **unused) {
  static const size_t sizes[] = {1,     SMALL, LARGE,     32 << 10, 16,   LARGE,
                                 SMALL, 4096,  400 << 10, 1 << 20,  SMALL};
  enum { N = sizeof(sizes) / sizeof(*sizes) };
  uint8_t *pieces[N];

  (void)unused;
  for (int i = 0; i < N; i++) {
    pieces[i] = rt_alloc(sizes[i]);
    assert_non_null(pieces[i]);
    assert_int_equal((uintptr_t)pieces[i] % 16, 0);
    assert_zero(pieces[i], sizes[i]);
    fill(pieces[i], sizes[i], i + 1);
  }
  for (int i = 0; i < N; i++) {
    for (size_t j = 0; j < sizes[i]; j++)
      assert_int_equal(pieces[i][j], i + 1);
    rt_free(pieces[i], sizes[i]);
  }
}

/* Those that no longer fit are separate mappings. */
static void test_no_room(void **unused) {
  enum { N = 2 * RT_SCRATCH_BYTES / LARGE };
  uint8_t *pieces[2 * N];

  (void)unused;
  for (int i = 0; i < 2 * N; i++) {
    pieces[i] = rt_alloc(i % 2 ? LARGE : 31 << 10);
    assert_zero(pieces[i], 31 << 10);
    fill(pieces[i], i % 2 ? LARGE : 31 << 10, 1);
  }
  for (int i = 0; i < 2 * N; i++)
    rt_free(pieces[i], i % 2 ? LARGE : 31 << 10);
}

static size_t n_resident(const void *from, size_t n_bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const uintptr_t first = (uintptr_t)from / page * page;
  const size_t n = n_bytes / page;
  unsigned char there[RT_SCRATCH_BYTES / 4096];
  size_t n_there = 0;

  assert_int_equal(mincore((void *)first, n * page, there), 0);
  for (size_t i = 0; i < n; i++)
    n_there += there[i] & 1;
  return n_there * page;
}

/* Large pieces between small ones do not increase the memory of these. */
static void test_pages_that_are_not_used(void **unused) {
  (void)unused;
  uint8_t *const first = rt_alloc(SMALL);
  fill(first, SMALL, 1);
  for (int i = 0; i < N_PIECES; i++) {
    assert_non_null(rt_alloc(LARGE));
    uint8_t *const piece = rt_alloc(SMALL);
    assert_non_null(piece);
    fill(piece, SMALL, 1);
  }
  const size_t n = n_resident(first, RT_SCRATCH_BYTES);
  assert_true(n >= 1 && n <= (1 + N_PIECES) * SMALL / 4096 * 4096 + 4096);
}

/* Memory that was freed last is used again, zeroed; a buffer is not zeroed. */
static void test_memory_is_used_again(void **unused) {
  (void)unused;
  uint8_t *const first = rt_alloc(SMALL);
  fill(first, SMALL, 1);
  rt_free(first, SMALL);
  uint8_t *const second = rt_alloc(2 * SMALL);
  assert_ptr_equal(second, first);
  assert_zero(second, 2 * SMALL);
  uint8_t *const buffer = rt_buffer(LARGE);
  fill(buffer, LARGE, 2);
  rt_free(buffer, LARGE);
  uint8_t *const third = rt_alloc(SMALL);
  assert_zero(third, SMALL);
  fill(third, SMALL, 3);
  assert_ptr_equal(rt_buffer(LARGE), buffer);
  assert_int_equal(buffer[LARGE - 1], 2);
  assert_int_equal(second[2 * SMALL - 1], 0);
  uint8_t *const other = rt_buffer(2 * LARGE);
  assert_true(other + 2 * LARGE <= buffer || buffer + LARGE <= other);
}

/* So is a large piece, unless a later one is in use or it is very large. */
static void test_large_memory_is_used_again(void **unused) {
  enum { MIDDLE = 20 << 10, LESS = 16 << 10, MORE = 28 << 10 };

  (void)unused;
  uint8_t *const first = rt_alloc(MIDDLE);
  uint8_t *const second = rt_alloc(MIDDLE);
  fill(first, MIDDLE, 1);
  fill(second, MIDDLE, 2);
  rt_free(first, MIDDLE);
  uint8_t *const third = rt_alloc(LESS);
  assert_true(third + LESS <= second);
  fill(third, LESS, 3);
  rt_free(third, LESS);
  uint8_t *const fourth = rt_alloc(MORE);
  assert_ptr_equal(fourth + MORE, second);
  assert_zero(fourth, MORE);
  fill(fourth, MORE, 4);
  rt_free(fourth, MORE);
  assert_ptr_equal(rt_alloc(LESS), third);
  assert_zero(third, LESS);
  assert_int_equal(second[0], 2);
  uint8_t *const large = rt_alloc(LARGE);
  rt_free(large, LARGE);
  assert_true((uint8_t *)rt_alloc(MIDDLE) + MIDDLE <= large);
}

/* Small pieces are not cut from large ones that were freed. */
static void test_small_pieces_after_large_ones(void **unused) {
  enum { MIDDLE = 20 << 10, N_MIDDLE = RT_SCRATCH_BYTES / MIDDLE - 2 };
  uint8_t *pieces[N_MIDDLE];

  (void)unused;
  use_and_free(pieces, N_MIDDLE, MIDDLE);
  for (int i = 0; i < RT_SCRATCH_BYTES / SMALL; i++)
    assert_zero(rt_alloc(SMALL), SMALL);
}

/* Of a text, the first byte alone is zeroed. */
static void test_texts(void **unused) {
  (void)unused;
  char *const first = rt_alloc_text(SMALL);
  fill((uint8_t *)first, SMALL, 1);
  rt_free(first, SMALL);
  char *const second = rt_alloc_text(SMALL);
  assert_ptr_equal(second, first);
  assert_int_equal(second[0], 0);
  assert_int_equal(second[1], 1);
  rt_free(second, SMALL);
  assert_zero(rt_alloc(2 * SMALL), 2 * SMALL);
}

/* A piece that is freed before a later one is used again when that is freed,
   too; not one that is still in use. */
static void test_freed_in_any_order(void **unused) {
  enum { N = 6 };
  static const int order[] = {1, 3, 4, 5};
  uint8_t *pieces[N];

  (void)unused;
  for (int i = 0; i < N; i++) {
    pieces[i] = rt_alloc(SMALL);
    fill(pieces[i], SMALL, i + 1);
  }
  for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
    rt_free(pieces[order[i]], SMALL);
  assert_ptr_equal(rt_alloc(SMALL), pieces[3]);
  rt_free(pieces[3], SMALL);
  rt_free(pieces[2], SMALL);
  uint8_t *const again = rt_alloc(N * SMALL);
  assert_ptr_equal(again, pieces[1]);
  assert_zero(again, N * SMALL);
  assert_int_equal(pieces[0][SMALL - 1], 1);
}

/* The rest of a piece serves the next one, zeroed if need be. */
static void test_trimmed(void **unused) {
  enum { WRITTEN = 100 };

  (void)unused;
  uint8_t *const before = rt_alloc(2 * SMALL);
  fill(before, 2 * SMALL, 1);
  rt_free(before, 2 * SMALL);
  for (int i = 0; i < N_PIECES; i++) {
    uint8_t *const piece = rt_alloc(SMALL);
    assert_zero(piece, SMALL);
    fill(piece, WRITTEN, 2);
    rt_trim(piece, WRITTEN);
    uint8_t *const next = rt_alloc(SMALL);
    assert_true(next >= piece + WRITTEN && next < piece + SMALL);
    assert_zero(next, SMALL);
    fill(next, SMALL, 3);
    rt_trim(piece, 1); // not the last one
    assert_int_equal(piece[WRITTEN - 1], 2);
    rt_free(next, SMALL);
    rt_free(piece, SMALL);
    rt_trim(piece, 1); // it is not there any more
  }
  assert_zero(rt_alloc(2 * SMALL), 2 * SMALL);
}

/* With more pieces than are recorded, those in use stay apart. */
static void test_many_pieces(void **unused) {
  enum { N = 200 };
  uint8_t *pieces[N];

  (void)unused;
  for (int i = 0; i < N; i++) {
    pieces[i] = rt_alloc(SMALL);
    fill(pieces[i], SMALL, i);
    if (i % 3 == 2)
      rt_free(pieces[i - 1], SMALL);
  }
  for (int i = 0; i < N; i += 3)
    for (size_t j = 0; j < SMALL; j++)
      assert_int_equal(pieces[i][j], i);
}

/* Small pieces that were freed one after the other leave memory that is not
   zero between those in use and the large ones. */
static void test_large_pieces_after_many_small_ones(void **unused) {
  enum { N = RT_SCRATCH_BYTES / SMALL };
  uint8_t *pieces[N];

  (void)unused;
  use_and_free(pieces, N, SMALL);
  assert_zero(rt_alloc(LARGE), LARGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_pieces_are_apart, open_scratch,
                                      close_scratch),
      cmocka_unit_test_setup_teardown(test_no_room, open_scratch,
                                      close_scratch),
      cmocka_unit_test_setup_teardown(test_pages_that_are_not_used,
                                      open_scratch, close_scratch),
      cmocka_unit_test_setup_teardown(test_memory_is_used_again, open_scratch,
                                      close_scratch),
      cmocka_unit_test_setup_teardown(test_large_memory_is_used_again,
                                      open_scratch, close_scratch),
      cmocka_unit_test_setup_teardown(test_small_pieces_after_large_ones,
                                      open_scratch, close_scratch),
      cmocka_unit_test_setup_teardown(test_texts, open_scratch, close_scratch),
      cmocka_unit_test_setup_teardown(test_freed_in_any_order, open_scratch,
                                      close_scratch),
      cmocka_unit_test_setup_teardown(test_trimmed, open_scratch,
                                      close_scratch),
      cmocka_unit_test_setup_teardown(test_many_pieces, open_scratch,
                                      close_scratch),
      cmocka_unit_test_setup_teardown(test_large_pieces_after_many_small_ones,
                                      open_scratch, close_scratch),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
