/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Selections of symbols: what each form matches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "profile/symspec.h"

static const char one[] = "/src/one.c";
static const char two[] = "/src/two.c";
static const char other_two[] = "/lib/two.c";

static const struct symbol symbols[] = {
    {.vaddr = 0x10, .name = "a", .file = one, .line = 5, .is_func = true},
    {.vaddr = 0x20, .name = "b", .file = one, .line = 9, .is_func = true},
    {.vaddr = 0x30, .name = "c", .file = two, .line = 5, .is_func = true},
    {.vaddr = 0x40, .name = "mcount", .is_func = true},
    {.vaddr = 0x50, .name = "d", .file = other_two, .line = 7, .is_func = true},
};

enum { N_SYMBOLS = sizeof(symbols) / sizeof(symbols[0]) };

/** Names of the symbols that the flat profile shows, given some selections. */
static const char *shown(const struct symspec *specs, size_t n_specs) {
  static char out[64];
  struct symtab table = {0};
  struct symspec_tables tables;
  struct err err = {0};

  for (size_t i = 0; i < N_SYMBOLS; i++)
    assert_int_equal(symtab_add(&table, &symbols[i], &err), 0);
  assert_int_equal(symtab_finish(&table, 0x5f, &err), 0);
  assert_int_equal(symspec_resolve(&table, specs, n_specs, &tables, &err), 0);
  out[0] = '\0';
  for (size_t i = 0; i < N_SYMBOLS; i++)
    if (symspec_allows(&tables, SYMSPEC_FLAT, symbols[i].vaddr))
      strcat(out, symbols[i].name);
  symspec_release(&tables);
  symtab_release(&table);
  return out;
}

static const char *shown_with(const char *text) {
  const struct symspec spec = {.use = SYMSPEC_FLAT, .text = text};

  return shown(&spec, 1);
}

static const char *shown_without(const char *text) {
  const struct symspec spec = {
      .use = SYMSPEC_FLAT, .is_exclude = true, .text = text};

  return shown(&spec, 1);
}

static void profiler_is_never_shown(void **state) {
  (void)state;
  assert_string_equal(shown(NULL, 0), "abcd");
}

static void each_form_matches_its_part(void **state) {
  (void)state;
  assert_string_equal(shown_with("b"), "b");
  assert_string_equal(shown_with("one.c"), "ab");
  assert_string_equal(shown_with("5"), "ac");
  assert_string_equal(shown_with("one.c:b"), "b");
  assert_string_equal(shown_with("one.c:5"), "a");
  assert_string_equal(shown_with(":c"), "c");
  assert_string_equal(shown_with("one.c:"), "ab");
  assert_string_equal(shown_without("one.c"), "cd");
  assert_string_equal(shown_without("c"), "abd");
}

static void file_named_twice_is_the_last_one(void **state) {
  (void)state;
  assert_string_equal(shown_with("two.c"), "d");
}

static void no_match_selects_everything(void **state) {
  (void)state;
  assert_string_equal(shown_with("nonexistent"), "abcd");
  assert_string_equal(shown_with("nonexistent.c:a"), "abcd");
}

static void includes_add_up_and_beat_excludes(void **state) {
  const struct symspec specs[] = {
      {.use = SYMSPEC_FLAT, .text = "a"},
      {.use = SYMSPEC_FLAT, .text = "c"},
      {.use = SYMSPEC_FLAT, .is_exclude = true, .text = "c"},
      {.use = SYMSPEC_GRAPH, .text = "d"},
  };

  (void)state;
  assert_string_equal(shown(specs, 4), "ac");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(profiler_is_never_shown),
      cmocka_unit_test(each_form_matches_its_part),
      cmocka_unit_test(file_named_twice_is_the_last_one),
      cmocka_unit_test(no_match_selects_everything),
      cmocka_unit_test(includes_add_up_and_beat_excludes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
