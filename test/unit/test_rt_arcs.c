/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of arcs: growth, hostile distributions, merging. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "counting/arcs.h"
#include "os/os.h"

enum { N_ARCS = 1000000 };

static void chain_of(const struct rt_arcs *arcs, size_t *n_segments,
                     size_t *n_used, uint64_t *n_calls) {
  *n_segments = 0;
  *n_used = 0;
  *n_calls = 0;
  for (; arcs; arcs = arcs->next) {
    ++*n_segments;
    for (uint64_t i = 0; i < arcs->n_slots + RT_ARC_PROBES; i++) {
      *n_used += rt_arcs_slots(arcs)[i].from != 0;
      *n_calls += rt_arcs_slots(arcs)[i].count;
    }
  }
}

static void million_arcs_are_all_kept(void **state) {
  struct rt_arcs *arcs = rt_arcs_create(RT_FIRST_ARCS, NULL, NULL);
  size_t n_segments;
  size_t n_used;
  uint64_t n_calls;

  (void)state;
  assert_non_null(arcs);
  for (int round = 0; round < 2; round++)
    for (uint64_t i = 0; i < N_ARCS; i++)
      assert_int_equal(rt_arcs_count(arcs, 0x401000 + 5 * i, 0x400000), 0);
  chain_of(arcs, &n_segments, &n_used, &n_calls);
  assert_int_equal(n_used, N_ARCS);
  assert_int_equal(n_calls, 2 * N_ARCS);
  assert_true(n_segments >= 2 && n_segments <= 10);
}

static void one_site_with_many_callees_is_spread(void **state) {
  struct rt_arcs *arcs = rt_arcs_create(RT_FIRST_ARCS, NULL, NULL);
  size_t n_segments;
  size_t n_used;
  uint64_t n_calls;

  (void)state;
  for (uint64_t i = 0; i < 100000; i++)
    assert_int_equal(rt_arcs_count(arcs, 0x401000, 0x500000 + 16 * i), 0);
  chain_of(arcs, &n_segments, &n_used, &n_calls);
  assert_int_equal(n_used, 100000);
  assert_true(n_segments >= 2 && n_segments <= 8);
}

static void caller_without_address_counts(void **state) {
  struct rt_arcs *arcs = rt_arcs_create(RT_FIRST_ARCS, NULL, NULL);
  size_t n_segments;
  size_t n_used;
  uint64_t n_calls;

  (void)state;
  rt_arcs_count(arcs, 0, 0x400000);
  rt_arcs_count(arcs, 0, 0x400000);
  chain_of(arcs, &n_segments, &n_used, &n_calls);
  assert_int_equal(n_used, 1);
  assert_int_equal(n_calls, 2);
}

static void claimed_slot_without_callee_is_passed_by(void **state) {
  struct rt_arcs *arcs = rt_arcs_create(RT_FIRST_ARCS, NULL, NULL);
  const uint64_t at = rt_arc_home(0x1234, 0x400000);
  size_t n_segments;
  size_t n_used;
  uint64_t n_calls;

  (void)state;
  rt_arcs_slots(arcs)[at].from = 0x1234;
  rt_arcs_count(arcs, 0x1234, 0x400000);
  assert_int_equal(rt_arcs_slots(arcs)[at].count, 0);
  chain_of(arcs, &n_segments, &n_used, &n_calls);
  assert_int_equal(n_used, 2);
  assert_int_equal(n_calls, 1);
}

static void full_shared_table_refuses(void **state) {
  struct solve_arc slots[4] = {{0}};

  (void)state;
  for (uint64_t i = 1; i <= 4; i++)
    assert_int_equal(rt_arcs_count_shared(slots, 4, i, 7), 0);
  assert_int_equal(rt_arcs_count_shared(slots, 4, 2, 7), 0);
  assert_true(rt_arcs_count_shared(slots, 4, 5, 7) < 0);
}

static const void *backed, *forgotten;
static bool has_room;

static bool back(const struct rt_object *object, void *memory, size_t bytes) {
  assert_ptr_equal(object, &has_room);
  assert_int_equal(bytes,
                   (RT_FIRST_ARCS + RT_ARC_PROBES) * sizeof(struct solve_arc));
  backed = memory;
  return has_room;
}

static void forget(const void *memory) { forgotten = memory; }

/** Memory that is in a file is not wiped in children. */
static void tables_may_be_backed(void **state) {
  static const struct rt_backing backing = {back, forget};
  const struct rt_object *const object = (const struct rt_object *)&has_room;

  (void)state;
  has_room = true;
  struct rt_arcs *arcs = rt_arcs_create(RT_FIRST_ARCS, &backing, object);
  assert_non_null(arcs);
  assert_ptr_equal(backed, rt_arcs_slots(arcs));
  assert_false(arcs->is_wiped);
  rt_arcs_destroy(arcs);
  assert_ptr_equal(forgotten, backed);

  has_room = false;
  arcs = rt_arcs_create(RT_FIRST_ARCS, &backing, object);
  assert_non_null(arcs);
  assert_true(arcs->is_wiped);
  rt_arcs_back(arcs);
  assert_true(arcs->is_wiped);
  has_room = true;
  rt_arcs_back(arcs);
  assert_false(arcs->is_wiped);
  rt_arcs_destroy(arcs);
}

static void plain_tables_are_wiped_emptied_and_unmapped(void **state) {
  struct rt_arcs *arcs = rt_arcs_create(RT_FIRST_ARCS, NULL, NULL);
  unsigned char is_in_memory;
  size_t n_segments, n_used;
  uint64_t n_calls;

  (void)state;
  assert_non_null(arcs);
  assert_true(arcs->is_wiped);
  for (uint64_t i = 0; i < 10; i++)
    assert_int_equal(rt_arcs_count(arcs, 0x401000 + 5 * i, 0x400000), 0);
  chain_of(arcs, &n_segments, &n_used, &n_calls);
  assert_int_equal(n_calls, 10);
  rt_arcs_empty(arcs);
  chain_of(arcs, &n_segments, &n_used, &n_calls);
  assert_int_equal(n_used, 0);
  assert_int_equal(n_calls, 0);
  forgotten = NULL;
  rt_arcs_destroy(arcs);
  assert_null(forgotten);
  assert_int_equal(mincore(arcs, 1, &is_in_memory), -1);
  assert_int_equal(errno, ENOMEM);
}

static void merge_sorts_and_adds(void **state) {
  enum { N = 1000 };
  struct solve_arc arcs[N];
  struct solve_arc scratch[N];

  (void)state;
  for (size_t n = 0; n <= N; n += 37) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
      arcs[i] = (struct solve_arc){i * 7919 % 50 + 1, i % 3, i};
      sum += i;
    }
    const size_t n_merged = solve_arcs_merge(arcs, n, scratch);
    assert_true(n_merged <= 150);
    for (size_t i = 0; i < n_merged; i++) {
      sum -= arcs[i].count;
      if (i)
        assert_true(arcs[i - 1].from < arcs[i].from ||
                    (arcs[i - 1].from == arcs[i].from &&
                     arcs[i - 1].self < arcs[i].self));
    }
    assert_int_equal(sum, 0);
  }
}

static void merge_drops_what_cancels_out(void **state) {
  struct solve_arc arcs[] = {
      {5, 6, 10}, {1, 2, 3}, {5, 6, (uint64_t)-10}, {1, 2, 4}};
  struct solve_arc scratch[4];

  (void)state;
  assert_int_equal(solve_arcs_merge(arcs, 4, scratch), 1);
  assert_int_equal(arcs[0].from, 1);
  assert_int_equal(arcs[0].count, 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(million_arcs_are_all_kept),
      cmocka_unit_test(one_site_with_many_callees_is_spread),
      cmocka_unit_test(caller_without_address_counts),
      cmocka_unit_test(claimed_slot_without_callee_is_passed_by),
      cmocka_unit_test(full_shared_table_refuses),
      cmocka_unit_test(tables_may_be_backed),
      cmocka_unit_test(plain_tables_are_wiped_emptied_and_unmapped),
      cmocka_unit_test(merge_sorts_and_adds),
      cmocka_unit_test(merge_drops_what_cancels_out),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
