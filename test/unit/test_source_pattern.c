/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Patterns of names of source files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "debug/source_pattern.h"
#include "scratch.h"

static unsigned n_calls;

/** In place of the C library's. */
char *getcwd(char *buffer, size_t n_bytes) {
  (void)buffer;
  (void)n_bytes;
  n_calls++;
  return strdup("/p/a*/build");
}

static void patterns_fit_the_end_of_a_name(void **state) {
  (void)state;
  assert_true(source_matches("x.c", "/p/src/x.c"));
  assert_true(source_matches("./src/*.c", "/p/src/x.c"));
  assert_false(source_matches("rc/x.c", "/p/src/x.c"));
  assert_true(source_matches("/p/*.c", "/p/src/x.c"));
  assert_true(source_matches("/p/src/x.c", "/p/src/x.c"));
  assert_true(source_matches("/*", "/p/src/x.c"));
  assert_true(source_matches("/p/s[qr]c/x.c", "/p/src/x.c"));
  assert_true(source_matches("/p/\\src/x.c", "/p/src/x.c"));
  assert_false(source_matches("/src/x.c", "/p/src/x.c"));
  assert_false(source_matches("/p/src/", "/p/src/x.c"));
}

static void the_working_directory_is_asked_for_once(void **state) {
  (void)state;
  n_calls = 0;
  for (int i = 0; i < 3; i++) {
    assert_true(source_matches("../src/*.c", "/p/a*/src/x.c"));
    assert_false(source_matches("../src/*.c", "/p/ab/src/x.c"));
    assert_false(source_matches("../src/*.c", "src/x.c"));
  }
  assert_int_equal(n_calls, 1);
  assert_true(source_matches("../../../*", "/x.c"));
  assert_true(source_matches("../../../../x.c", "/x.c"));
}

static void links_in_the_folder_are_followed(void **state) {
  char *const folder = realpath(".", NULL);
  char pattern[4096], name[4096];

  (void)state;
  mkdir("real", 0700);
  assert_int_equal(symlink("real", "link"), 0);
  snprintf(name, sizeof(name), "%s/real/src/x.c", folder);
  snprintf(pattern, sizeof(pattern), "%s/link/*/x.c", folder);
  assert_true(source_matches(pattern, name));
  snprintf(pattern, sizeof(pattern), "%s/link/src/y.c", folder);
  assert_false(source_matches(pattern, name));
  free(folder);
}

#define IN_FOLDER(test)                                                        \
  cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_fit_the_end_of_a_name),
      cmocka_unit_test(the_working_directory_is_asked_for_once),
      IN_FOLDER(links_in_the_folder_are_followed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
