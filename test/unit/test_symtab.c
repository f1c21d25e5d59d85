/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The symbol table: choice among several symbols, their ends, look-up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "image/symtab.h"

static struct symtab table;
static struct err err;

static void add(uint64_t vaddr, const char *name, bool is_func,
                bool is_static) {
  const struct symbol symbol = {
      .vaddr = vaddr, .name = name, .is_func = is_func, .is_static = is_static};

  assert_int_equal(symtab_add(&table, &symbol, &err), 0);
}

static int release(void **state) {
  (void)state;
  symtab_release(&table);
  return 0;
}

static void expect_kept(const char *name) {
  assert_int_equal(symtab_finish(&table, 0xfff, &err), 0);
  assert_int_equal(table.n_symbols, 1);
  assert_string_equal(table.symbols[0].name, name);
}

static void global_is_better_than_function(void **state) {
  (void)state;
  add(0x100, "local_function", true, true);
  add(0x100, "global_label", false, false);
  expect_kept("global_label");
}

static void function_is_better_than_label(void **state) {
  (void)state;
  add(0x100, "label", false, false);
  add(0x100, "__function", true, false);
  expect_kept("__function");
}

static void fewer_underscores_are_better(void **state) {
  (void)state;
  add(0x100, "__twice", true, false);
  add(0x100, "_once", true, false);
  add(0x100, "never", true, false);
  add(0x100, "never_either", true, false);
  expect_kept("never");
}

static void kept_symbol_has_the_order_of_the_first(void **state) {
  (void)state;
  add(0x100, "_a", true, false);
  add(0x200, "b", true, false);
  add(0x100, "a", true, false);
  assert_int_equal(symtab_finish(&table, 0xfff, &err), 0);
  assert_string_equal(table.symbols[0].name, "a");
  assert_int_equal(table.symbols[0].order, 0);
}

static void symbols_end_where_the_next_begins(void **state) {
  (void)state;
  add(0x300, "c", true, false);
  add(0x100, "a", true, false);
  add(0x200, "b", false, true);
  assert_int_equal(symtab_finish(&table, 0x3ff, &err), 0);
  assert_int_equal(table.symbols[0].last, 0x1ff);
  assert_int_equal(table.symbols[2].last, 0x3ff);
  assert_int_equal(symtab_find(&table, 0xff), SYMTAB_NONE);
  assert_int_equal(symtab_find(&table, 0x100), 0);
  assert_int_equal(symtab_find(&table, 0x1ff), 0);
  assert_int_equal(symtab_find(&table, 0x200), 1);
  assert_int_equal(symtab_find(&table, 0x3ff), 2);
  assert_int_equal(symtab_find(&table, 0x400), SYMTAB_NONE);
  assert_int_equal(symtab_find(&table, UINT64_MAX), SYMTAB_NONE);
}

static void second_round_keeps_ends(void **state) {
  (void)state;
  add(0x100, "a", true, false);
  add(0x200, "b", true, false);
  add(0x9000, "above_text", true, false);
  assert_int_equal(symtab_finish(&table, 0x2ff, &err), 0);
  assert_int_equal(table.n_symbols, 3);
  add(0x180, "line", false, false);
  assert_int_equal(symtab_finish(&table, 0x2ff, &err), 0);
  // The symbol above the end of text covers no address and is removed.
  assert_int_equal(table.n_symbols, 3);
  assert_int_equal(table.symbols[0].last, 0x1ff);
  assert_string_equal(table.symbols[1].name, "line");
  assert_int_equal(table.symbols[1].last, 0x1ff);
  assert_int_equal(symtab_find(&table, 0x9000), SYMTAB_NONE);
}

static void tables_in_order_are_merged(void **state) {
  static const char *const expected[] = {"before", "f", "inside", "line",
                                         "after"};
  static const uint64_t vaddrs[] = {0x80, 0x100, 0x110, 0x200, 0x280};
  static const uint32_t orders[] = {2, 0, 4, 1, 6};
  struct symtab more = {0};

  (void)state;
  add(0x100, "f", true, false);
  add(0x200, "label", false, false);
  assert_int_equal(symtab_finish(&table, 0x2ff, &err), 0);
  // Lines, two of which are at the beginning of other symbols.
  const char *const lines[] = {"before", "line", "inside", "line", "after"};
  for (size_t i = 0; i < 5; i++) {
    const struct symbol symbol = {.vaddr = vaddrs[i], .name = lines[i]};
    assert_int_equal(symtab_add(&more, &symbol, &err), 0);
  }
  assert_int_equal(symtab_merge(&table, &more, &err), 0);
  assert_int_equal(symtab_finish(&table, 0x2ff, &err), 0);
  symtab_release(&more);
  assert_int_equal(table.n_symbols, 5);
  for (size_t i = 0; i < 5; i++) {
    assert_string_equal(table.symbols[i].name, expected[i]);
    assert_true(table.symbols[i].vaddr == vaddrs[i]);
    assert_int_equal(table.symbols[i].order, orders[i]);
  }
  assert_true(table.symbols[0].last == 0xff);
  assert_true(table.symbols[1].last == 0x1ff);
  assert_int_equal(symtab_find(&table, 0x115), 2);
}

static void empty_table_finds_nothing(void **state) {
  (void)state;
  assert_int_equal(symtab_finish(&table, 0xfff, &err), 0);
  assert_int_equal(symtab_find(&table, 0x100), SYMTAB_NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(global_is_better_than_function, release),
      cmocka_unit_test_teardown(function_is_better_than_label, release),
      cmocka_unit_test_teardown(fewer_underscores_are_better, release),
      cmocka_unit_test_teardown(kept_symbol_has_the_order_of_the_first,
                                release),
      cmocka_unit_test_teardown(symbols_end_where_the_next_begins, release),
      cmocka_unit_test_teardown(second_round_keeps_ends, release),
      cmocka_unit_test_teardown(tables_in_order_are_merged, release),
      cmocka_unit_test_teardown(empty_table_finds_nothing, release),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
