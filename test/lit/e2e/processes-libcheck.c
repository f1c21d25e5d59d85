// libcheck forks for each test, and ends the child by its own _exit(), or by a
// signal when it takes too long: every call is counted.
// REQUIRES: libcheck
// RUN: %arcline-cc -O1 -g %s -o prog -lcheck -lsubunit -lm -lrt -lpthread
// RUN: env ARCLINE_OPTIONS=out=pool/%%m ./prog > found
// RUN: grep 'Checks: 6, Failures: 1, Errors: 1' found
// RUN: %arcline export --format=lcov pool | FileCheck %s
// CHECK-DAG: FNDA:19,checked
// CHECK-DAG: FNDA:1,aborts_fn
// CHECK-DAG: FNDA:1,is_killed_fn
// CHECK-DAG: FNDA:1,hangs_fn
#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static int checked(int x) {
  __asm__ volatile("");
  return x + 1;
}

// clang-format off
START_TEST(ten) {
  for (int i = 0; i < 10; i++)
    ck_assert_int_eq(checked(i), i + 1);
}
END_TEST

START_TEST(five) {
  for (int i = 0; i < 5; i++)
    ck_assert_int_eq(checked(i), i + 1);
}
END_TEST

START_TEST(aborts) {
  checked(1);
  abort();
}
END_TEST

START_TEST(is_killed) {
  checked(1);
  raise(SIGKILL);
}
END_TEST

START_TEST(hangs) {
  checked(1);
  for (;;)
    pause();
}
END_TEST

START_TEST(fails) {
  checked(1);
  ck_abort();
}
END_TEST
// clang-format on

int main(void) {
  Suite *suite = suite_create("suite");
  TCase *cases = tcase_create("cases");
  SRunner *runner = srunner_create(suite);

  tcase_set_timeout(cases, 3);
  tcase_add_test(cases, ten);
  tcase_add_test(cases, five);
  tcase_add_test_raise_signal(cases, aborts, SIGABRT);
  tcase_add_test_raise_signal(cases, is_killed, SIGKILL);
  tcase_add_test(cases, hangs);
  tcase_add_test(cases, fails);
  suite_add_tcase(suite, cases);
  srunner_run_all(runner, CK_NORMAL);
  const int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed != 2;
}
