/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Buffers that ranks of an MPI job reduce: the sum is that of all files, in
   whatever order buffers are added; buffers that are too small report that, and
   the size they need; a failure is not lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "made_gmon.h"
#include "mpi/bundle.h"
#include "scratch.h"

enum { N_RANKS = 5, N_ROOM = 4096 };

/** Make the file of a rank, and add it: some are of the same program, and each
 * has an arc of its own. */
static struct merge merge_of(unsigned rank) {
  struct merge merge = {0};
  struct err err = {0};
  struct builder builder = made_gmon(rank % 2 ? "program1" : "program2");
  made_arc(&builder, 0x100, 0x200, 1);
  made_arc(&builder, 0x1000 + rank, 0x200, 7);
  write_bytes("file", builder.bytes, builder.n_bytes);
  assert_int_equal(merge_add_file(&merge, "file", true, &err), 0);
  assert_int_equal(merge.n_files, 1);
  return merge;
}

static void pack(unsigned rank, char *buffer, size_t n_bytes) {
  struct merge merge = merge_of(rank);
  memset(buffer, 0, n_bytes);
  bundle_pack(&merge, buffer, n_bytes);
  merge_release(&merge);
}

static struct bundle head_of(const char *buffer) {
  struct bundle head;
  memcpy(&head, buffer, sizeof(head));
  return head;
}

static void expect_same_sums(const struct merge *a, const struct merge *b) {
  assert_int_equal(a->n_sums, b->n_sums);
  for (size_t i = 0; i < a->n_sums; i++) {
    const struct sum_file file = byte_sink_file(&a->sums[i].bytes);
    bool is_there = false;
    for (size_t j = 0; j < b->n_sums; j++) {
      const struct sum_file other = byte_sink_file(&b->sums[j].bytes);
      is_there |= file.n_bytes == other.n_bytes &&
                  memcmp(file.bytes, other.bytes, file.n_bytes) == 0;
    }
    assert_true(is_there);
  }
}

static void sum_is_that_of_all_files_in_any_order(void **state) {
  (void)state;
  static const unsigned orders[][N_RANKS] = {
      {0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}};
  struct merge all = {0};
  struct err err = {0};
  for (unsigned i = 0; i < N_RANKS; i++) {
    char buffer[N_ROOM];
    pack(i, buffer, sizeof(buffer));
    assert_int_equal(bundle_unpack(buffer, &all, &err), 0);
  }
  assert_int_equal(all.n_sums, 2);
  for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
    char from[N_ROOM], to[N_ROOM];
    struct merge sum = {0};
    pack(orders[i][0], to, sizeof(to));
    for (unsigned j = 1; j < N_RANKS; j++) {
      pack(orders[i][j], from, sizeof(from));
      bundle_add(from, to, sizeof(to));
    }
    assert_int_equal(bundle_unpack(to, &sum, &err), 0);
    assert_int_equal(sum.n_files, N_RANKS);
    expect_same_sums(&all, &sum);
    merge_release(&sum);
  }
  merge_release(&all);
}

static void names_do_not_depend_on_the_order(void **state) {
  (void)state;
  static const char *const names[] = {
      "b.3132333435363738", "a.3132333435363738", "c.3132333435363738"};
  struct err err = {0};
  const struct builder builder = made_gmon("12345678");
  for (unsigned i = 0; i < 3; i++)
    write_bytes(names[i], builder.bytes, builder.n_bytes);
  for (unsigned first = 0; first < 3; first++) {
    struct merge merge = {0};
    for (unsigned i = 0; i < 3; i++)
      assert_int_equal(
          merge_add_file(&merge, names[(first + i) % 3], true, &err), 0);
    assert_int_equal(merge.n_sums, 1);
    assert_string_equal(merge.sums[0].name, "a");
    merge_release(&merge);
  }
}

static void rank_without_files_changes_nothing(void **state) {
  (void)state;
  char from[N_ROOM] = {0}, to[N_ROOM], before[N_ROOM];
  const struct merge none = {.n_skipped = 3};
  pack(1, to, sizeof(to));
  memcpy(before, to, sizeof(to));
  bundle_pack(&none, from, sizeof(from));
  bundle_add(from, to, sizeof(to));
  assert_int_equal(head_of(to).n_skipped, 3);
  assert_int_equal(head_of(to).n_files, 1);
  assert_memory_equal(to + sizeof(struct bundle),
                      before + sizeof(struct bundle),
                      sizeof(to) - sizeof(struct bundle));
}

static void too_small_says_what_it_takes(void **state) {
  (void)state;
  char from[N_ROOM], to[N_ROOM];
  struct merge merge = merge_of(0);
  const size_t n_bytes = bundle_bytes(&merge); // for one, not for two
  merge_release(&merge);
  pack(0, to, n_bytes);
  assert_int_equal(head_of(to).n_needed, n_bytes);
  pack(1, from, n_bytes);
  bundle_add(from, to, n_bytes);
  const size_t n_needed = head_of(to).n_needed;
  assert_true(n_needed > n_bytes);
  // It is added to others, on either side, without its missing sums.
  bundle_add(from, to, n_bytes);
  assert_int_equal(head_of(to).n_needed, n_needed + n_bytes);
  pack(1, from, n_bytes);
  bundle_add(to, from, n_bytes);
  assert_int_equal(head_of(from).n_needed, n_needed + 2 * n_bytes);
  // The size that it reported is enough.
  pack(0, to, n_needed);
  pack(1, from, n_needed);
  bundle_add(from, to, n_needed);
  assert_int_equal(head_of(to).n_needed, n_needed);
  assert_int_equal(head_of(to).n_files, 2);
}

static void operand_too_large_is_not_written_past_the_end(void **state) {
  (void)state;
  const size_t n_bytes = sizeof(struct bundle);
  char *const buffer = malloc(n_bytes); // so that sanitizers see it
  assert_non_null(buffer);
  pack(0, buffer, n_bytes);
  assert_true(head_of(buffer).n_needed > n_bytes);
  free(buffer);
}

static void failure_is_handed_on(void **state) {
  (void)state;
  const struct bundle failed = {.n_needed = sizeof(failed), .has_failed = 1};
  char from[N_ROOM], to[N_ROOM];
  pack(0, from, sizeof(from));
  memset(to, 0, sizeof(to));
  memcpy(to, &failed, sizeof(failed));
  bundle_add(from, to, sizeof(to));
  assert_true(head_of(to).has_failed);
  bundle_add(to, from, sizeof(to));
  assert_true(head_of(from).has_failed);
}

static void room_grows_by_two_and_ends(void **state) {
  (void)state;
  const uint64_t max = BUNDLE_MAX_BYTES;
  assert_int_equal(bundle_room(0, 1000), 1250);
  assert_int_equal(bundle_room(1250, 2000), 2000);
  // A thousand sums that may be one: not a thousand times as much.
  assert_int_equal(bundle_room(1250, 1000000), 2500);
  assert_int_equal(bundle_room(1250, UINT64_MAX), 2500);
  assert_int_equal(bundle_room(0, max), max);
  assert_int_equal(bundle_room(0, max + 1), 0);
  assert_int_equal(bundle_room(0, UINT64_MAX), 0);
  assert_int_equal(bundle_room(max - 1, max), max);
  assert_int_equal(bundle_room(max / 2 + 2, 100 * max), max);
  assert_int_equal(bundle_room(max, max + 1), 0);
}

#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, scratch_enter, scratch_leave)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(sum_is_that_of_all_files_in_any_order),
      TEST(names_do_not_depend_on_the_order),
      TEST(rank_without_files_changes_nothing),
      TEST(too_small_says_what_it_takes),
      TEST(operand_too_large_is_not_written_past_the_end),
      TEST(failure_is_handed_on),
      TEST(room_grows_by_two_and_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
