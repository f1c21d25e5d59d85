/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hash table: growth, similar keys, absence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/map64.h"

static void empty_map_has_nothing(void **state) {
  struct map64 map = {0};

  (void)state;
  assert_int_equal(map64_find(&map, 0), MAP64_NONE);
  map64_release(&map);
}

static void keeps_all_entries_while_it_grows(void **state) {
  // Keys that differ in high bits only must not fall into one slot.
  static const unsigned shifts[] = {0, 4, 20, 40};

  (void)state;
  for (size_t i_shift = 0; i_shift < 4; i_shift++) {
    struct map64 map = {0};
    struct err err = {0};
    for (uint32_t i = 0; i < 100000; i++)
      assert_int_equal(
          map64_insert(&map, (uint64_t)i << shifts[i_shift], i, &err), 0);
    assert_int_equal(map.n_entries, 100000);
    for (uint32_t i = 0; i < 100000; i++)
      assert_int_equal(map64_find(&map, (uint64_t)i << shifts[i_shift]), i);
    assert_int_equal(map64_find(&map, UINT64_MAX), MAP64_NONE);
    map64_release(&map);
    assert_int_equal(map64_find(&map, 1), MAP64_NONE);
  }
}

static void finds_what_is_there_and_inserts_what_is_not(void **state) {
  struct map64 map = {0};
  struct err err = {0};

  (void)state;
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 1000; i++) {
      uint32_t value = i + 5000 * round;
      assert_int_equal(
          map64_find_or_insert(&map, (uint64_t)i << 20, &value, &err), round);
      assert_int_equal(value, i);
    }
  assert_int_equal(map.n_entries, 1000);
  assert_int_equal(map64_find(&map, (uint64_t)999 << 20), 999);
  map64_release(&map);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(empty_map_has_nothing),
      cmocka_unit_test(keeps_all_entries_while_it_grows),
      cmocka_unit_test(finds_what_is_there_and_inserts_what_is_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
