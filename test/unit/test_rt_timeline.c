/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Samples by thread and time: no sample is lost, however many periods and
   stacks there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "sample/timeline.h"

static const uint32_t tids[] = {7, 4194303}; /* the kernel's largest */

enum { N_THREADS = 2, N_PLACES = 1 << 18 };

/* Frames by place, each with its own number. */
static uint32_t *make_frames(void) {
  uint32_t *const frames = calloc(N_PLACES, sizeof(*frames));

  for (uint32_t i = 0; frames && i < N_PLACES; i++)
    frames[i] = i + 1;
  return frames;
}

static uint64_t sum_of(const struct rt_moments *moments, uint32_t tid,
                       bool is_of_stacks, bool is_any_time) {
  uint64_t sum = 0;

  for (size_t i = 0; i < moments->n; i++) {
    const struct solve_arc *const it = &moments->all[i];
    const bool has_frame = RT_MOMENT_FRAME(it) != 0;
    if (RT_MOMENT_TID(it) == tid && has_frame == is_of_stacks &&
        (!is_any_time || RT_MOMENT_WIDTH(it) == RT_MOMENT_ANY_WIDTH))
      sum += it->count;
  }
  return sum;
}

static void test_nothing_without_start(void **state) {
  struct rt_moments moments;

  (void)state;
  rt_timeline_add(tids[0], 0, 3);
  rt_timeline_collect(NULL, &moments);
  assert_int_equal(moments.n, 0);
  rt_moments_free(&moments);
}

static void test_keeps_all(void **state) {
  uint32_t *const frames = make_frames();
  struct rt_moments moments;

  (void)state;
  assert_non_null(frames);
  rt_timeline_init();
  for (uint32_t i = 0; i < N_PLACES; i++) {
    rt_timeline_add(tids[i % N_THREADS], 0, 2);
    rt_timeline_add(tids[i % N_THREADS], 1 + i % 20000, 3);
  }
  rt_timeline_collect(frames, &moments);
  for (int i = 0; i < N_THREADS; i++) {
    assert_int_equal(sum_of(&moments, tids[i], false, false), N_PLACES);
    assert_int_equal(sum_of(&moments, tids[i], true, false),
                     N_PLACES / N_THREADS * 3);
  }
  assert_true(moments.began_ns / 1000000000 <= (uint64_t)time(NULL));
  rt_moments_free(&moments);
  rt_timeline_reset();
  rt_timeline_collect(frames, &moments);
  assert_int_equal(moments.n, 0);
  rt_moments_free(&moments);
  free(frames);
}

/* More stacks than records: some are counted without their period. More threads
   than records do not happen, and take no room from stacks. */
static void test_has_no_room(void **state) {
  uint32_t *const frames = make_frames();
  struct rt_moments moments;
  const uint32_t n_places = 125000, n_threads = 100000;

  (void)state;
  assert_non_null(frames);
  rt_timeline_release();
  rt_timeline_init();
  for (uint32_t i = 0; i < n_places; i++)
    rt_timeline_add(tids[0], 1 + i * 40503 % N_PLACES, 1); // spread
  for (uint32_t i = 0; i < n_threads; i++)
    rt_timeline_add(8 + i, 0, 1);
  rt_timeline_add(tids[0], 1, 5);
  rt_timeline_collect(frames, &moments);
  assert_int_equal(sum_of(&moments, tids[0], true, false), n_places + 5);
  assert_true(sum_of(&moments, tids[0], true, true) > 0);
  assert_true(moments.n > n_places + 50000);
  for (size_t i = 1; i < moments.n; i++)
    assert_true(moments.all[i - 1].from < moments.all[i].from ||
                (moments.all[i - 1].from == moments.all[i].from &&
                 moments.all[i - 1].self < moments.all[i].self));
  rt_moments_free(&moments);
  rt_timeline_release();
  free(frames);
}

/* A place that has no frame yet is left to the next time. */
static void test_unknown_place(void **state) {
  const uint32_t frames[] = {0, 9};
  struct rt_moments moments;

  (void)state;
  rt_timeline_init();
  rt_timeline_add(tids[0], 1, 4);
  rt_timeline_add(tids[0], 2, 6);
  rt_timeline_collect(frames, &moments);
  assert_int_equal(moments.n, 1);
  assert_int_equal(RT_MOMENT_FRAME(&moments.all[0]), 9);
  assert_int_equal(moments.all[0].count, 6);
  rt_moments_free(&moments);
  rt_timeline_release();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nothing_without_start),
      cmocka_unit_test(test_keeps_all),
      cmocka_unit_test(test_has_no_room),
      cmocka_unit_test(test_unknown_place),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
