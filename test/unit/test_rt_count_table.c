/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of counts: keys keep their slots, and few keys touch one page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "os/count_table.h"

enum { N_SLOTS = 1 << 16, N_KEYS = 10000, N_FEW = 30 };

/* Of functions that are far from one another, and not 0. */
static uint64_t key_of(uint64_t i) { return 0x401000 + i * 0x2345; }

static size_t n_touched(const struct rt_count_table *table) {
  return rt_count_table_room(table) / RT_COUNT_TABLE_GROUP;
}

static void keys_keep_their_slots(void **state) {
  static size_t places[N_KEYS];
  struct rt_count_table table = {0};

  (void)state;
  rt_count_table_init(&table, N_SLOTS);
  for (uint64_t i = 0; i < N_KEYS; i++)
    places[i] = rt_count_table_place(&table, key_of(i));
  for (uint64_t i = 0; i < N_KEYS; i++) {
    assert_int_equal(rt_count_table_place(&table, key_of(i)), places[i]);
    assert_true(places[i] < N_SLOTS);
    rt_count_table_add(&table, key_of(i), i);
  }

  struct rt_count *counts = calloc(N_KEYS, sizeof(*counts));
  assert_non_null(counts);
  assert_int_equal(rt_count_table_read(&table, counts, N_KEYS), N_KEYS - 1);
  for (size_t i = 0; i + 1 < N_KEYS; i++)
    assert_int_equal(key_of(counts[i].n), counts[i].key);
  assert_int_equal(rt_count_table_sum(&table),
                   (uint64_t)N_KEYS * (N_KEYS - 1) / 2);
  free(counts);
  rt_count_table_release(&table);
}

static void few_keys_share_a_page(void **state) {
  struct rt_count_table table = {0};

  (void)state;
  rt_count_table_init(&table, N_SLOTS);
  assert_int_equal(n_touched(&table), 0);
  for (uint64_t i = 0; i < N_FEW; i++)
    rt_count_table_add(&table, key_of(i << 10), 1);
  assert_int_equal(n_touched(&table), 1);
  assert_int_equal(rt_count_table_sum(&table), N_FEW);
  rt_count_table_release(&table);
}

static void counts_without_a_slot_are_kept(void **state) {
  struct rt_count_table table = {0};

  (void)state;
  rt_count_table_init(&table, RT_COUNT_TABLE_GROUP);
  for (uint64_t i = 0; i < N_KEYS; i++)
    rt_count_table_add(&table, key_of(i), 1);
  assert_int_equal(rt_count_table_sum(&table), N_KEYS);
  assert_true(table.n_rest > 0);
  rt_count_table_release(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_keep_their_slots),
      cmocka_unit_test(few_keys_share_a_page),
      cmocka_unit_test(counts_without_a_slot_are_kept),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
