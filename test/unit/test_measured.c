/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Inclusive times, and weights of arcs, from the call stacks of side files. */
#include <math.h>

#include "made_sides.h"
#include "profile/measured.h"

static struct measured measure_stacks(const char *records) {
  struct measured measured;

  open_side(records);
  count_samples(PROG, 0);
  // Instrumented are those of which calls are counted.
  count_outside(PROG, 0x1000, 1);
  count_outside(PROG, 0x1100, 1);
  count_outside(PROG, 0x1200, 1);
  count_outside(LIB, 0x1000, 1);
  assert_int_equal(side_join_apply(&join, &profile, &err), 0);
  assert_int_equal(measured_make(&join, &profile, &measured, &err), 0);
  profile_finish(&profile);
  return measured;
}

static double inclusive(size_t i_object, const char *name) {
  return profile.counts[find(i_object, name)].inclusive;
}

/** main calls run, which calls back; that calls run again, and libc. */
#define TREE                                                                   \
  "frame 1 0 0 0x1010\nframe 2 1 1 0x1010\nframe 3 2 0 0x1110\n"               \
  "frame 4 3 1 0x1020\nframe 5 4 2 0x40\n"

static void a_stack_counts_once_for_a_function(void **state) {
  (void)state;
  const struct measured measured = measure_stacks(
      PROG_AND_LIB CLOCK TREE "stack 5 30\nstack 2 10\nstack-signals 7\n");
  assert_true(measured.total_ticks == 40);
  assert_true(measured.n_stack_signals == 7);
  assert_true(measured.cut_ticks == 0);
  assert_true(inclusive(PROG, "main") == 40);
  assert_true(inclusive(LIB, "run") == 40);
  assert_true(inclusive(PROG, "callback") == 30);
  assert_true(inclusive(SIZE_MAX, "<libc.so.6>") == 30);
}

static void outer_frames_may_be_missing(void **state) {
  (void)state;
  const struct measured measured =
      measure_stacks(PROG_AND_LIB "object 3 - 0x0 - [unknown]\n" CLOCK TREE
                                  "frame 6 0 3 0x0\nframe 7 6 0 0x1210\n"
                                  "stack 1 5\nstack 7 15\n");
  assert_true(measured.total_ticks == 20);
  assert_true(measured.cut_ticks == 15);
  assert_true(inclusive(PROG, "main") == 5);
  assert_true(inclusive(PROG, "common") == 15);
}

static void stacks_of_another_rate_are_scaled(void **state) {
  (void)state;
  const struct measured measured =
      measure_stacks(PROG_AND_LIB "clock seconds 1000\n" TREE "stack 5 30\n");
  assert_true(measured.total_ticks == 3);
  assert_true(inclusive(PROG, "main") == 3);
}

static void stacks_of_each_program_of_a_suite_count(void **state) {
  struct measured measured;

  (void)state;
  write_side_of("1", 0, "short", PROG_IS(0) CLOCK);
  write_side_of("2", 0, "long",
                LIB_IS(0) CLOCK "frame 1 0 0 0x1010\nstack 1 30\n");
  OPEN("1", "2");
  count_samples(PROG, 0);
  assert_int_equal(side_join_apply(&join, &profile, &err), 0);
  assert_int_equal(measured_make(&join, &profile, &measured, &err), 0);
  assert_true(measured.total_ticks == 30);
  assert_true(inclusive(LIB, "run") == 30);
}

static const struct profile_arc *arc_to(const char *callee) {
  const uint32_t child = find(SIZE_MAX, callee);

  for (size_t i = 0; i < profile.n_arcs; i++)
    if (profile.arcs[i].child == child)
      return &profile.arcs[i];
  return NULL;
}

/** Time outside has callers, however many calls there were. Time of callbacks
 * from there is their own. */
static void arcs_to_code_outside_are_weighed(void **state) {
  (void)state;
  measure_stacks(PROG_AND_LIB CLOCK TREE
                 "frame 6 5 0 0x1210\nstack 5 30\nstack 6 20\n");
  const struct profile_arc *const arc = arc_to("<libc.so.6>");
  assert_non_null(arc);
  assert_int_equal(arc->parent, find(LIB, "run"));
  assert_int_equal(arc->count, 0);
  assert_true(arc->weight == 30);
  assert_true(profile.counts[arc->child].weight == 30);
  assert_int_equal(profile.n_arcs, 1);
  assert_true(inclusive(SIZE_MAX, "<libc.so.6>") == 50);
}

static void errors_are_those_of_samples(void **state) {
  const struct measured measured = {.total_ticks = 1000,
                                    .n_stack_signals = 100};

  (void)state;
  // Source: a table of Wilson's intervals, 50 and 0 of 100.
  assert_true(fabs(measured_error(&measured, 500) - 96.2) < 0.1);
  assert_true(fabs(measured_error(&measured, 0) - 18.5) < 0.1);
  assert_true(measured_error(&(struct measured){0}, 0) == 0);
  // More time than all stacks have: 200 of 200 samples, 3 of them with a stack.
  const struct measured few = {.total_ticks = 3, .n_stack_signals = 3};
  assert_true(fabs(measured_error(&few, 200) - 1.9) < 0.1);
}

static void stacks_that_stand_for_many_samples_say_less(void **state) {
  (void)state;
  // A stack of 20 samples, and 5 of 4: as 40 * 40 / 480 equal ones.
  const struct measured measured =
      measure_stacks(PROG_AND_LIB CLOCK TREE "stack 5 30\nstack 2 10\n"
                                             "stack-signals 6\n"
                                             "stack-squares 480\n");
  const struct measured equal = {.total_ticks = 40,
                                 .n_stack_signals = 40. * 40 / 480};
  assert_true(measured.n_stack_signals == 6);
  assert_true(fabs(measured_error(&measured, 30) - measured_error(&equal, 30)) <
              1e-9);
  // Never more than there are.
  const struct measured many = {
      .total_ticks = 40, .n_stack_signals = 6, .squares = 40};
  const struct measured six = {.total_ticks = 40, .n_stack_signals = 6};
  assert_true(measured_error(&many, 30) == measured_error(&six, 30));
}

static void squares_are_scaled_as_their_stacks(void **state) {
  (void)state;
  const struct measured measured = measure_stacks(
      PROG_AND_LIB "clock seconds 1000\n" TREE
                   "stack 5 30\nstack-squares 300\nsampled 60\n");
  assert_true(measured.total_ticks == 6);
  assert_true(fabs(measured.squares - 12) < 1e-9);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(a_stack_counts_once_for_a_function),
      TEST(outer_frames_may_be_missing),
      TEST(stacks_of_another_rate_are_scaled),
      TEST(stacks_of_each_program_of_a_suite_count),
      TEST(arcs_to_code_outside_are_weighed),
      TEST(errors_are_those_of_samples),
      TEST(stacks_that_stand_for_many_samples_say_less),
      TEST(squares_are_scaled_as_their_stacks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
