/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls by address: what is joined, and that the order stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/err.h"
#include "profile/call_sites.h"

static struct call_sites sites;
static struct err err;

static int begin(void **state) {
  (void)state;
  sites = (struct call_sites){0};
  return 0;
}

static int end(void **state) {
  (void)state;
  call_sites_release(&sites);
  return 0;
}

static void add(uint64_t from_pc, uint64_t self_pc, uint64_t count) {
  assert_int_equal(call_sites_add(&sites, from_pc, self_pc, count, &err), 0);
}

static void join(void) { assert_int_equal(call_sites_join(&sites, &err), 0); }

static void expect(size_t i, uint64_t from_pc, uint64_t self_pc,
                   uint64_t count) {
  assert_true(i < sites.n_sites);
  assert_int_equal(sites.sites[i].from_pc, from_pc);
  assert_int_equal(sites.sites[i].self_pc, self_pc);
  assert_int_equal(sites.sites[i].count, count);
}

static void joined_ones_stay_where_they_came_first(void **state) {
  (void)state;
  add(0x30, 0x1, 1);
  add(0x10, 0x2, 2);
  add(0x20, 0x1, 4);
  add(0x10, 0x2, 8);
  add(0x30, 0x1, 16);
  add(0x05, 0x1, 32);
  join();
  assert_int_equal(sites.n_sites, 4);
  expect(0, 0x30, 0x1, 17);
  expect(1, 0x10, 0x2, 10);
  expect(2, 0x20, 0x1, 4);
  expect(3, 0x05, 0x1, 32);
}

static void both_addresses_count(void **state) {
  (void)state;
  add(0x10, 0x2, 1);
  add(0x10, 0x1, 2);
  add(0x11, 0x1, 4);
  add(0, 0x1, 8);
  add(UINT64_MAX, UINT64_MAX, 16);
  join();
  assert_int_equal(sites.n_sites, 5);
  expect(0, 0x10, 0x2, 1);
  expect(1, 0x10, 0x1, 2);
  expect(2, 0x11, 0x1, 4);
  expect(3, 0, 0x1, 8);
  expect(4, UINT64_MAX, UINT64_MAX, 16);
}

static void sums_go_beyond_the_field_of_a_file(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++)
    add(0x10, 0x1, UINT32_MAX);
  join();
  assert_int_equal(sites.n_sites, 1);
  expect(0, 0x10, 0x1, 3 * (uint64_t)UINT32_MAX);
}

static void calls_never_made_are_kept(void **state) {
  (void)state;
  add(0x10, 0x1, 0);
  join();
  assert_int_equal(sites.n_sites, 1);
  expect(0, 0x10, 0x1, 0);
}

static void nothing_is_joined_to_nothing(void **state) {
  (void)state;
  join();
  assert_int_equal(sites.n_sites, 0);
  call_sites_release(&sites);
  assert_null(sites.sites);
}

/** What comes after joined ones is behind them. */
static void joining_goes_on(void **state) {
  (void)state;
  add(0x50, 0x1, 1);
  add(0x50, 0x1, 2);
  add(0x40, 0x1, 4);
  join();
  add(0x30, 0x1, 8);
  add(0x50, 0x1, 16);
  add(0x20, 0x1, 32);
  join();
  assert_int_equal(sites.n_sites, 4);
  expect(0, 0x50, 0x1, 19);
  expect(1, 0x40, 0x1, 4);
  expect(2, 0x30, 0x1, 8);
  expect(3, 0x20, 0x1, 32);
}

/** Many, of which each appears several times. */
static void many_keep_their_order(void **state) {
  enum { N = 1000, STEP = 617 }; // coprime: each number once

  (void)state;
  for (uint64_t i = 0; i < 3 * N; i++)
    add(i * STEP % N, 0x1, i);
  join();
  assert_int_equal(sites.n_sites, N);
  for (uint64_t i = 0; i < N; i++)
    expect(i, i * STEP % N, 0x1, 3 * i + 3 * N);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(joined_ones_stay_where_they_came_first),
      TEST(both_addresses_count),
      TEST(sums_go_beyond_the_field_of_a_file),
      TEST(calls_never_made_are_kept),
      TEST(nothing_is_joined_to_nothing),
      TEST(joining_goes_on),
      TEST(many_keep_their_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
