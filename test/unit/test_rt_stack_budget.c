/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Samples with a stack, and the samples that these represent: all samples,
   whatever walks cost and however short a process is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "os/os.h"
#include "sample/stack_budget.h"

enum { PERIOD_NS = 10000000, FIRST_SIZE = 12, N_SAMPLES = 10000 };

/** The number of samples that stacks represent, of n that are taken
 * together. */
static uint64_t take_all(unsigned n, unsigned at_once) {
  uint64_t sum = 0;
  bool is_near;

  for (unsigned i = 0; i < n; i += at_once)
    sum += rt_stack_budget_add(at_once, &is_near);
  return sum;
}

static void each_sample_has_one_without_a_limit(void **state) {
  bool is_near;

  (void)state;
  rt_stack_budget_begin(0, 77);
  assert_int_equal(rt_stack_budget_add(0, &is_near), 0);
  assert_true(is_near);
  for (unsigned n = 1; n < 100; n++)
    assert_int_equal(rt_stack_budget_add(n, &is_near), n);
  assert_int_equal(rt_stack_budget_begin_walk(), 0);
}

/* Processes that begin with each number by chance once: right on average. */
static void short_processes_have_their_share(void **state) {
  (void)state;
  for (unsigned n = 0; n <= 2 * FIRST_SIZE; n++) {
    uint64_t sum = 0;
    for (unsigned random = 0; random < FIRST_SIZE; random++) {
      rt_stack_budget_begin(PERIOD_NS, random);
      sum += take_all(n, 1);
    }
    assert_int_equal(sum, (uint64_t)n * FIRST_SIZE);
  }
}

static void first_look_is_at_one_in_a_block(void **state) {
  unsigned n_stack_signals = 0;
  bool is_near;

  (void)state;
  rt_stack_budget_begin(PERIOD_NS, 5);
  for (unsigned i = 0; i < FIRST_SIZE; i++) {
    const uint64_t weight = rt_stack_budget_add(1, &is_near);
    assert_true(weight == 0 || weight == FIRST_SIZE);
    n_stack_signals += weight != 0;
  }
  assert_int_equal(n_stack_signals, 1);
  // If walks cost nothing, all samples have a stack from then on.
  for (unsigned i = 0; i < FIRST_SIZE; i++)
    assert_int_equal(rt_stack_budget_add(1, &is_near), 1);
}

/* A thread that ends has samples due at the place of its last sample. */
static void says_what_is_near(void **state) {
  bool was_near = false, is_near;

  (void)state;
  for (unsigned random = 0; random < FIRST_SIZE; random++) {
    rt_stack_budget_begin(PERIOD_NS, random);
    rt_stack_budget_add(0, &was_near);
    for (unsigned i = 0; i < FIRST_SIZE; i++) {
      const uint64_t weight = rt_stack_budget_add(1, &is_near);
      assert_true(!weight || was_near);
      was_near = is_near;
    }
  }
}

/** A walk of at least so much CPU time. */
static void look(uint64_t ns) {
  const uint64_t start = rt_stack_budget_begin_walk();

  while (rt_stack_budget_begin_walk() - start < ns)
    ;
  rt_stack_budget_end_walk(start);
}

/* The more of the budget of 1/150 of the period a walk uses, the fewer samples
   have a stack. */
static void dear_looks_are_few(void **state) {
  enum { CHECK_NS = PERIOD_NS / 10, LEAST_SIZE = 15 };
  unsigned n_stack_signals = 0;
  bool is_near;

  (void)state;
  rt_stack_budget_begin(PERIOD_NS, 0);
  for (unsigned i = 0; i < 100 * LEAST_SIZE; i++) {
    if (!rt_stack_budget_add(1, &is_near))
      continue;
    n_stack_signals++;
    look(CHECK_NS);
  }
  assert_true(n_stack_signals > 0 && n_stack_signals <= 100 + 1);
}

static void many_at_once_are_as_many(void **state) {
  (void)state;
  for (unsigned random = 0; random < FIRST_SIZE; random++) {
    rt_stack_budget_begin(PERIOD_NS, random);
    const uint64_t sum = take_all(N_SAMPLES, 100);
    assert_int_equal(sum, N_SAMPLES);
    rt_stack_budget_begin(PERIOD_NS, random);
    assert_int_equal(take_all(N_SAMPLES, N_SAMPLES), N_SAMPLES);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_sample_has_one_without_a_limit),
      cmocka_unit_test(short_processes_have_their_share),
      cmocka_unit_test(first_look_is_at_one_in_a_block),
      cmocka_unit_test(says_what_is_near),
      cmocka_unit_test(dear_looks_are_few),
      cmocka_unit_test(many_at_once_are_as_many),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
