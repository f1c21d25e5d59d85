/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** wrapper/args.c: quoting and nesting of response files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "wrapper/args.h"

// A response file that is removed again at the end of the test.
struct response {
  char path[32];
  char option[40]; // @path
};

static void response_create(struct response *response, const char *text) {
  strcpy(response->path, "response-XXXXXX");
  const int fd = mkstemp(response->path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), strlen(text));
  close(fd);
  snprintf(response->option, sizeof(response->option), "@%s", response->path);
}

static void check_expansion(const char *text, const char *const *expected) {
  struct response response;
  struct args args = {0};

  response_create(&response, text);
  args_add_expanded(&args, response.option);
  unlink(response.path);
  size_t n = 0;
  for (; expected[n]; n++) {
    assert_true(n < args.n);
    assert_string_equal(args.items[n], expected[n]);
  }
  assert_int_equal(args.n, n);
  args_release(&args);
}

static void test_plain_argument_is_copied(void **state) {
  (void)state;
  struct args args = {0};
  args_add_expanded(&args, "main.c");
  args_add_expanded(&args, "@no-such-file");
  assert_int_equal(args.n, 2);
  assert_string_equal(args.items[0], "main.c");
  assert_string_equal(args.items[1], "@no-such-file");
  assert_null(args.items[2]);
  args_release(&args);
  assert_int_equal(args.n, 0);
}

static void test_quoting(void **state) {
  (void)state;
  check_expansion("", (const char *[]){NULL});
  check_expansion(" \n\t ", (const char *[]){NULL});
  check_expansion("-c a.c\n-o\ta.o\n",
                  (const char *[]){"-c", "a.c", "-o", "a.o", NULL});
  check_expansion("'a b' \"c d\" e\\ f g'h i'j",
                  (const char *[]){"a b", "c d", "e f", "gh ij", NULL});
  check_expansion("\"-DX=\\\"y\\\"\" \"it's\"",
                  (const char *[]){"-DX=\"y\"", "it's", NULL});
  check_expansion("'' end", (const char *[]){"", "end", NULL});
  check_expansion("'never closed", (const char *[]){"never closed", NULL});
  check_expansion("trailing\\", (const char *[]){"trailing\\", NULL});
}

static void test_nested_files(void **state) {
  (void)state;
  struct response inner;
  char text[64];

  response_create(&inner, "b c");
  snprintf(text, sizeof(text), "a %s d", inner.option);
  check_expansion(text, (const char *[]){"a", "b", "c", "d", NULL});
  unlink(inner.path);
}

static void test_file_naming_itself_ends(void **state) {
  (void)state;
  struct response response;
  struct args args = {0};

  response_create(&response, "");
  FILE *file = fopen(response.path, "w");
  assert_non_null(file);
  fprintf(file, "x %s", response.option);
  fclose(file);
  args_add_expanded(&args, response.option);
  unlink(response.path);
  // Some x, and finally the name itself, which clang reports.
  assert_true(args.n >= 2 && args.n < 100);
  assert_string_equal(args.items[0], "x");
  assert_string_equal(args.items[args.n - 1], response.option);
  args_release(&args);
}

static void test_list_grows(void **state) {
  (void)state;
  struct args args = {0};
  for (int i = 0; i < 1000; i++) {
    char text[16];
    snprintf(text, sizeof(text), "%d", i);
    args_add(&args, text);
    assert_null(args.items[args.n]);
  }
  assert_string_equal(args.items[0], "0");
  assert_string_equal(args.items[999], "999");
  args_release(&args);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain_argument_is_copied),
      cmocka_unit_test(test_quoting),
      cmocka_unit_test(test_nested_files),
      cmocka_unit_test(test_file_naming_itself_ends),
      cmocka_unit_test(test_list_grows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
