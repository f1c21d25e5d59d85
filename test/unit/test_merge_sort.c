/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The stable sort, against insertion sort. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/merge_sort.h"

struct item {
  int key;
  int place; // before sorting
};

static int compare_keys(const void *left, const void *right,
                        const void *context) {
  const int *sign = context;

  return *sign *
         (((const struct item *)left)->key - ((const struct item *)right)->key);
}

static void sorts_and_keeps_ties_in_order(void **state) {
  unsigned random = 1;

  (void)state;
  for (size_t n = 0; n < 200; n++) {
    struct item items[200];
    const int sign = n % 2 ? 1 : -1;
    for (size_t i = 0; i < n; i++) {
      random = random * 1103515245 + 12345;
      items[i] = (struct item){.key = (int)(random >> 16) % 9, .place = (int)i};
    }
    assert_int_equal(
        merge_sort(items, n, sizeof(items[0]), compare_keys, &sign), 0);
    for (size_t i = 1; i < n; i++) {
      int order = sign * (items[i - 1].key - items[i].key);
      assert_true(order < 0 ||
                  (order == 0 && items[i - 1].place < items[i].place));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sorts_and_keeps_ties_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
