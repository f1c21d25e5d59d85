/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers in order: the sort, and the search that begins where it ended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/sort_u64.h"
#include "base/sorted.h"

enum { MANY = 20000 };

static void numbers_are_sorted_and_unique(void **state) {
  static uint64_t numbers[MANY];
  static const unsigned shifts[] = {0, 8, 30, 45};
  size_t n = 0;

  (void)state;
  assert_int_equal(sort_u64_unique(numbers, &n), 0);
  assert_int_equal(n, 0);
  for (size_t i_shift = 0; i_shift < 4; i_shift++) {
    // 7919 has no factor in common with MANY / 2: each number comes twice.
    for (size_t i = 0; i < MANY; i++)
      numbers[i] = (uint64_t)(i * 7919 % (MANY / 2)) << shifts[i_shift];
    n = MANY;
    assert_int_equal(sort_u64_unique(numbers, &n), 0);
    assert_int_equal(n, MANY / 2);
    for (size_t i = 0; i < n; i++)
      assert_true(numbers[i] == (uint64_t)i << shifts[i_shift]);
  }
}

static void every_bit_counts(void **state) {
  uint64_t numbers[66] = {0};
  size_t n = 66;

  (void)state;
  for (unsigned bit = 0; bit < 64; bit++)
    numbers[63 - bit] = (uint64_t)1 << bit;
  numbers[64] = UINT64_MAX;
  assert_int_equal(sort_u64_unique(numbers, &n), 0);
  assert_int_equal(n, 66);
  assert_true(numbers[0] == 0);
  for (unsigned bit = 0; bit < 64; bit++)
    assert_true(numbers[bit + 1] == (uint64_t)1 << bit);
  assert_true(numbers[65] == UINT64_MAX);
}

struct element {
  uint64_t key;
  char more;
};

static void any_hint_leads_to_the_same(void **state) {
  static const struct element elements[] = {{2, 0}, {2, 0}, {5, 0}, {9, 0}};
  static const size_t expected[] = {0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4};

  (void)state;
  for (uint64_t key = 0; key <= 10; key++)
    for (size_t first = 0; first < 8; first++) {
      size_t hint = first;
      assert_int_equal(
          sorted_count_up_to(elements, 4, sizeof elements[0], key, &hint),
          expected[key]);
      assert_int_equal(hint, expected[key]);
    }
  size_t hint = SIZE_MAX;
  assert_int_equal(sorted_count_up_to(NULL, 0, 16, 7, &hint), 0);
  assert_int_equal(hint, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_sorted_and_unique),
      cmocka_unit_test(every_bit_counts),
      cmocka_unit_test(any_hint_leads_to_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
