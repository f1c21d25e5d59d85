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

/** Arcs that are kept, as pairs of names, given some selections of arcs. */
static const char *kept_arcs(const struct symspec *specs, size_t n_specs) {
  static char out[2 * N_SYMBOLS * N_SYMBOLS + 1];
  struct symtab table = {0};
  struct symspec_tables tables;
  struct err err = {0};
  size_t length = 0;

  for (size_t i = 0; i < N_SYMBOLS; i++)
    assert_int_equal(symtab_add(&table, &symbols[i], &err), 0);
  assert_int_equal(symtab_finish(&table, 0x5f, &err), 0);
  assert_int_equal(symspec_resolve(&table, specs, n_specs, &tables, &err), 0);
  for (size_t i = 0; i < N_SYMBOLS; i++)
    for (size_t j = 0; j < N_SYMBOLS; j++)
      if (symspec_allows_arc(&tables, &table.symbols[i], &table.symbols[j])) {
        out[length++] = symbols[i].name[0];
        out[length++] = symbols[j].name[0];
      }
  out[length] = '\0';
  symspec_release(&tables);
  symtab_release(&table);
  return out;
}

static void arcs_are_kept_by_any_selection(void **state) {
  const struct symspec specs[] = {
      {.use = SYMSPEC_ARCS, .text = "b/a"},
      {.use = SYMSPEC_ARCS, .text = "/d"},
  };
  const struct symspec alike[] = {
      {.use = SYMSPEC_ARCS, .text = "b/a"},
      {.use = SYMSPEC_ARCS, .text = "b/c"},
  };

  (void)state;
  // The range of b does not hide the rest of the one of everything.
  assert_string_equal(kept_arcs(specs, 2), "adbabdcdmddd");
  // Of two that begin alike, the last one counts.
  assert_string_equal(kept_arcs(alike, 2), "bc");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(profiler_is_never_shown),
      cmocka_unit_test(each_form_matches_its_part),
      cmocka_unit_test(file_named_twice_is_the_last_one),
      cmocka_unit_test(no_match_selects_everything),
      cmocka_unit_test(includes_add_up_and_beat_excludes),
      cmocka_unit_test(arcs_are_kept_by_any_selection),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
