/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Samples that CPU time is worth, with or without a timer signal, by triggers
   and by the sampler. Only lower bounds of CPU time are asserted, and the test
   waits for them. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "os/os.h"
#include "sample/sampler.h"
#include "timers/trigger.h"

enum { MS = 1000000, PERIOD = 10 * MS };

static const bool is_wanted = true;
static struct rt_trigger trigger;

/** A trigger of this thread, of 100 samples a second, whose first period has
 * begun so long ago. Its signals are not delivered. */
static void arm(int64_t owed) {
  signal(SIGPROF, SIG_IGN);
  trigger = (struct rt_trigger){0};
  assert_non_null(rt_trigger_init(rt_source_find(false, "cpu", 3), 100));
  rt_trigger_owe(&trigger, owed);
  assert_int_equal(rt_trigger_arm(&trigger, rt_tid(), &trigger, &is_wanted), 0);
}

static int disarm(void **state) {
  (void)state;
  rt_trigger_disarm(&trigger);
  return 0;
}

static void what_no_tick_has_brought_is_taken_once(void **state) {
  (void)state;
  arm(PERIOD + PERIOD / 2);
  assert_int_equal(rt_trigger_collect_late(&trigger), 1);
  assert_int_equal(rt_trigger_collect_late(&trigger), 0);
  assert_int_equal(rt_trigger_collect(&trigger), 0);
}

static void a_part_of_a_period_is_no_sample(void **state) {
  (void)state;
  arm(PERIOD / 2);
  assert_int_equal(rt_trigger_collect_late(&trigger), 0);
}

static void more_than_ticks_explain_is_not_taken(void **state) {
  (void)state;
  arm(4 * PERIOD);
  assert_int_equal(rt_trigger_collect_late(&trigger), 0);
  assert_int_equal(rt_trigger_collect(&trigger), 4);
}

static void time_that_is_skipped_has_no_samples(void **state) {
  (void)state;
  arm(PERIOD + PERIOD / 2);
  rt_trigger_skip(&trigger, PERIOD);
  assert_int_equal(rt_trigger_collect(&trigger), 0);
}

/** Of many processes shorter than a period, each part has its share. */
static void first_periods_are_of_any_length(void **state) {
  size_t n_early = 0, n = 1000;

  (void)state;
  rt_trigger_init(rt_source_find(false, "cpu", 3), 100);
  for (size_t i = 0; i < n; i++) {
    const int64_t chance = rt_trigger_chance();
    assert_true(chance >= 0 && chance < PERIOD);
    n_early += chance < PERIOD / 2;
  }
  // Source: 500 give or take 13 standard deviations.
  assert_true(n_early > 300 && n_early < 700);
}

static bool nothing(const siginfo_t *info) {
  (void)info;
  return false;
}

static bool never(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  (void)context;
  return false;
}

static void ignore(void) {}

static int64_t thread_ns(void) {
  struct timespec time;

  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000 * MS + time.tv_nsec;
}

static void work(int64_t ns) {
  const int64_t end = thread_ns() + ns;

  while (thread_ns() < end)
    ;
}

static void what_the_profiler_does_is_told_apart(void **state) {
  const struct rt_sigprof_parts parts = {nothing, never, ignore};

  (void)state;
  signal(SIGPROF, SIG_DFL);
  assert_true(rt_sampler_init(rt_source_find(false, "cpu", 3), 1000, false,
                              true, false, &parts));
  work(3 * MS);
  assert_int_equal(rt_sampler_n_own(), 0);
  rt_sampler_begin_own();
  work(5 * MS);
  const uint64_t n_inside = rt_sampler_n_own();
  assert_true(n_inside >= 5);
  rt_sampler_end_own();
  const uint64_t n = rt_sampler_n_own();
  assert_true(n >= n_inside);
  work(3 * MS);
  assert_int_equal(rt_sampler_n_own(), n);
  rt_sampler_begin_own();
  work(2 * MS);
  assert_true(rt_sampler_n_own() >= n + 2);
  // The profiler's own samples from here on are of the next dump.
  rt_sampler_reset();
  work(2 * MS);
  assert_true(rt_sampler_n_own() >= 2);
  rt_sampler_end_own();
  rt_sampler_release();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(what_no_tick_has_brought_is_taken_once, disarm),
      cmocka_unit_test_teardown(a_part_of_a_period_is_no_sample, disarm),
      cmocka_unit_test_teardown(more_than_ticks_explain_is_not_taken, disarm),
      cmocka_unit_test_teardown(time_that_is_skipped_has_no_samples, disarm),
      cmocka_unit_test(first_periods_are_of_any_length),
      cmocka_unit_test(what_the_profiler_does_is_told_apart),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
