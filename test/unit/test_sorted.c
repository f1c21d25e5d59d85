/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers and texts in order: sorts, and the search that begins at the last
   result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sort_text.h"
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

static void pairs_keep_their_order(void **state) {
  // Each way of sorting, and digits of both sizes.
  static const size_t sizes[] = {0, 1, 2, 64, 65, 1000, MANY};
  static struct sort_pair pairs[MANY];

  (void)state;
  for (size_t i_size = 0; i_size < sizeof(sizes) / sizeof(*sizes); i_size++) {
    const size_t n = sizes[i_size];
    for (size_t i = 0; i < n; i++)
      pairs[i] = (struct sort_pair){
          .key = (i * 7919 % (n / 3 + 1)) * 0x0100000010001001, .value = i};
    assert_int_equal(sort_pairs(pairs, n), 0);
    for (size_t i = 1; i < n; i++) {
      assert_true(pairs[i - 1].key <= pairs[i].key);
      if (pairs[i - 1].key == pairs[i].key)
        assert_true(pairs[i - 1].value < pairs[i].value);
      assert_true(pairs[i].key ==
                  (pairs[i].value * 7919 % (n / 3 + 1)) * 0x0100000010001001);
    }
  }
}

struct large {
  uint64_t place; // before sorting
  uint32_t key;
  uint32_t twice; // moves with it
};

static uint64_t key_of_large(const void *element) {
  return ((const struct large *)element)->key;
}

static void elements_keep_their_order(void **state) {
  enum { N = 200 };
  struct large elements[N];

  (void)state;
  for (size_t n = 0; n <= N; n++) {
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t key = i * 7919 % (uint32_t)(n / 3 + 1);
      elements[i] = (struct large){i, key, 2 * key};
    }
    assert_int_equal(sort_by_key(elements, n, sizeof(*elements), key_of_large),
                     0);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
      sum += elements[i].place;
      assert_int_equal(elements[i].twice, 2 * elements[i].key);
      if (i == 0)
        continue;
      assert_true(elements[i - 1].key <= elements[i].key);
      if (elements[i - 1].key == elements[i].key)
        assert_true(elements[i - 1].place < elements[i].place);
    }
    assert_int_equal(sum, n ? n * (n - 1) / 2 : 0);
  }
}

static void keys_are_in_the_order_of_numbers(void **state) {
  static const double numbers[] = {0, 5e-324, 1e-300, 0.5, 1, 1.5, 2, 1e300};

  (void)state;
  for (size_t i = 1; i < sizeof(numbers) / sizeof(*numbers); i++)
    assert_true(sort_key_of(numbers[i - 1]) < sort_key_of(numbers[i]));
  assert_true(sort_key_of(-0.0) == sort_key_of(0));
}

static int compare_texts(const void *left, const void *right) {
  const char *const *const a = left;
  const char *const *const b = right;
  const int order = strcmp(*a, *b);

  // In one array, in order of their numbers.
  return order ? order : (*a > *b) - (*a < *b);
}

static void texts_are_in_the_order_of_strcmp(void **state) {
  enum { N = 3000, BYTES = 40 };
  static char bytes[N][BYTES];
  static const char *texts[N], *expected[N];
  static uint32_t order[N];
  static const char *const starts[] = {"", "a", "common_start_", "\xff\x80",
                                       "common_start_that_is_long_"};

  (void)state;
  assert_int_equal(sort_texts(texts, 0, order), 0);
  for (unsigned n_different = 1; n_different <= N; n_different *= 7) {
    for (unsigned i = 0; i < N; i++) {
      snprintf(bytes[i], BYTES, "%s%.*s%u", starts[(i + 1) % 5], (int)(i % 3),
               "zzz", i * 7919 % n_different);
      expected[i] = texts[i] = bytes[i];
    }
    memset(order, 0xff, sizeof(order));
    assert_int_equal(sort_texts(texts, N, order), 0);
    qsort(expected, N, sizeof(*expected), compare_texts);
    for (unsigned i = 0; i < N; i++)
      assert_ptr_equal(texts[order[i]], expected[i]);
  }
}

static void one_text_many_times_keeps_its_order(void **state) {
  static const char *const texts[] = {"same_name_of_many", "same_name",
                                      "same_name_of_many", "same_name_of"};
  static const char *pointers[MANY];
  static uint32_t order[MANY];

  (void)state;
  for (size_t i = 0; i < MANY; i++)
    pointers[i] = texts[i % 2 ? 2 * (i % 4 == 1) : i % 4];
  assert_int_equal(sort_texts(pointers, MANY, order), 0);
  for (size_t i = 1; i < MANY; i++) {
    const int comparison = strcmp(pointers[order[i - 1]], pointers[order[i]]);
    assert_true(comparison < 0 || (comparison == 0 && order[i - 1] < order[i]));
  }
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
          sorted_count_up_to(elements, 4, sizeof(elements[0]), key, &hint),
          expected[key]);
      assert_int_equal(hint, expected[key]);
    }
  size_t hint = SIZE_MAX;
  assert_int_equal(sorted_count_up_to(NULL, 0, 16, 7, &hint), 0);
  assert_int_equal(hint, 0);
}

static int compare_numbers(const void *left, const void *right,
                           const void *context) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

  assert_string_equal(context, "context");
  return (a > b) - (a < b);
}

static void the_first_of_equal_ones_is_found(void **state) {
  static const uint64_t numbers[] = {1, 3, 3, 3, 7};
  const void *const context = "context";

  (void)state;
  for (size_t n = 0; n <= 5; n++)
    for (uint64_t key = 0; key <= 8; key++) {
      size_t n_before = 0;
      while (n_before < n && numbers[n_before] < key)
        n_before++;
      const bool is_there = n_before < n && numbers[n_before] == key;
      assert_int_equal(sorted_count_before(n ? numbers : NULL, n,
                                           sizeof(*numbers), &key,
                                           compare_numbers, context),
                       n_before);
      assert_int_equal(sorted_find(n ? numbers : NULL, n, sizeof(*numbers),
                                   &key, compare_numbers, context),
                       is_there ? n_before : n);
    }
}

static void what_begins_with_a_name_is_found_by_it(void **state) {
  static const struct {
    const char *name;
    int number;
  } elements[] = {{"", 0}, {"a", 1}, {"b", 2}, {"b", 3}, {"ba", 4}};
  static const struct {
    const char *name;
    size_t i;
  } expected[] = {{"", 0}, {"a", 1}, {"b", 2}, {"ba", 4}, {"aa", 5}, {"c", 5}};

  (void)state;
  for (size_t k = 0; k < sizeof(expected) / sizeof(*expected); k++)
    assert_int_equal(sorted_find(elements, 5, sizeof(*elements),
                                 &expected[k].name, sorted_compare_names, NULL),
                     expected[k].i);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_of_equal_ones_is_found),
      cmocka_unit_test(what_begins_with_a_name_is_found_by_it),
      cmocka_unit_test(numbers_are_sorted_and_unique),
      cmocka_unit_test(every_bit_counts),
      cmocka_unit_test(pairs_keep_their_order),
      cmocka_unit_test(elements_keep_their_order),
      cmocka_unit_test(keys_are_in_the_order_of_numbers),
      cmocka_unit_test(texts_are_in_the_order_of_strcmp),
      cmocka_unit_test(one_text_many_times_keeps_its_order),
      cmocka_unit_test(any_hint_leads_to_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
