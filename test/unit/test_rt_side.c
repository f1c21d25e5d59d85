/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* dump/side: arcs that leave an object, without memory to sort them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/resource.h>

#include "dump/side.h"

static struct rt_object object;

static int keep_without_memory(struct rt_profile *profile) {
  struct rlimit old, none;

  assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
  none = old;
  none.rlim_cur = 0;
  assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
  const int rc = rt_side_keep_crossing(&object, profile);
  assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
  return rc;
}

/* Else the next side file would list what the memory had before. */
static void none_are_kept_without_memory(void **state) {
  struct solve_arc arcs[] = {
      {.from = 1, .self = solve_outside(2, 0x10), .count = 3},
      {.from = 4, .self = 5, .count = 6}};
  struct rt_profile profile = {.arcs = arcs, .n_arcs = 2};

  (void)state;
  assert_int_equal(keep_without_memory(&profile), -ENOMEM);
  assert_int_equal(object.crossing.n, 0);
  assert_null(object.crossing.arcs);
  assert_int_equal(profile.n_arcs, 2);
  assert_int_equal(rt_side_keep_crossing(&object, &profile), 0);
  assert_int_equal(object.crossing.n, 1);
  assert_int_equal(object.crossing.arcs[0].count, 3);
  assert_int_equal(profile.n_arcs, 1);
  rt_side_release(&object);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(none_are_kept_without_memory),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
