/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The walk over debug entries: visited entries, and damage of all kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dwarf.h>
#include <string.h>

#include "base/err.h"
#include "debug/die_walk.h"

static const uint8_t abbrevs[] = {
    // 1: a unit with children and a name
    1, DW_TAG_compile_unit, 1, DW_AT_name, DW_FORM_string, 0, 0,
    // 2: a function: name, low_pc, high_pc, a block between
    2, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_strp, DW_AT_frame_base,
    DW_FORM_exprloc, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_udata,
    0, 0,
    // 3: a variable: data of fixed lengths around a string
    3, DW_TAG_variable, 0, DW_AT_decl_file, DW_FORM_data2, DW_AT_name,
    DW_FORM_string, DW_AT_decl_line, DW_FORM_data16, 0, 0,
    // 5000: an inlined copy, whose high_pc has its own form
    0x88, 0x27, DW_TAG_inlined_subroutine, 0, DW_AT_abstract_origin,
    DW_FORM_ref4, DW_AT_high_pc, DW_FORM_indirect, 0, 0,
    // 6: an unknown form
    6, DW_TAG_variable, 0, DW_AT_name, 0x7e, 0, 0,
    // 7: a constructor: both references, both names
    7, DW_TAG_subprogram, 0, DW_AT_specification, DW_FORM_ref1,
    DW_AT_abstract_origin, DW_FORM_ref1, DW_AT_linkage_name, DW_FORM_strp,
    // (2007 in LEB128)
    0x87, 0x40, DW_FORM_data1, 0, 0,
    // 8: a block with children
    8, DW_TAG_lexical_block, 1, 0, 0, 0};

#define FUNCTION 2, 1, 0, 0, 0, 3, 9, 9, 9, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x90, 1

static struct die_walk *begin(const uint8_t *dies, size_t n_dies,
                              size_t n_abbrevs) {
  const struct die_unit unit = {
      .dies = {.bytes = dies, .n_bytes = n_dies},
      .abbrevs = {.bytes = abbrevs, .n_bytes = n_abbrevs},
      .version = 5,
      .address_bytes = 8,
      .offset_bytes = 4,
  };
  struct err err;
  struct die_walk *const walk = die_walk_begin(&unit, &err);

  assert_non_null(walk);
  return walk;
}

/** The number of functions that a walk finds. */
static int count_functions(const uint8_t *dies, size_t n_dies,
                           size_t n_abbrevs) {
  struct die_walk *const walk = begin(dies, n_dies, n_abbrevs);
  struct die_func func;
  struct err err;
  int n = 0;
  int state;

  while ((state = die_walk_next(walk, &func, &err)) > 0)
    n++;
  assert_int_equal(state, 0);
  assert_int_equal(die_walk_next(walk, &func, &err), 0);
  assert_true(die_walk_abbrev_bytes(walk) <= n_abbrevs);
  die_walk_end(walk);
  return n;
}

static void functions_are_found_among_others(void **state) {
  static const uint8_t dies[] = {1,        'u',  0, // the unit
                                 3,        1,    0,  'v', 0,  0,  1,
                                 2,        3,    4,  5,   6,  7,  8,
                                 9,                               // a variable
                                 10,       11,   12, 13,  14, 15, //
                                 FUNCTION,                        //
                                 0x88,     0x27, 4,  3,   2,  1,  DW_FORM_data2,
                                 7,        0, // a copy, inside
                                 0,           // end of the function
                                 7,        8,    9,  1,   0,  0,  0,
                                 5,         // a constructor
                                 0,         // end of the unit
                                 FUNCTION}; // never reached
  struct die_walk *const walk = begin(dies, sizeof(dies), sizeof(abbrevs));
  struct die_func func;
  struct err err;

  (void)state;
  assert_int_equal(die_walk_next(walk, &func, &err), 1);
  assert_int_equal(func.bytes[0], 2);
  assert_int_equal(func.name.form, DW_FORM_strp);
  assert_ptr_equal(func.name.bytes, func.bytes + 1);
  assert_ptr_equal(func.low_pc.bytes, func.bytes + 9);
  assert_int_equal(func.high_pc.form, DW_FORM_udata);
  assert_ptr_equal(func.high_pc.bytes, func.bytes + 17);
  assert_int_equal(func.origin.attr, 0);
  assert_false(func.has_remote_values);

  assert_int_equal(die_walk_next(walk, &func, &err), 1);
  assert_int_equal(func.origin.attr, DW_AT_abstract_origin);
  assert_ptr_equal(func.origin.bytes, func.bytes + 2);
  assert_int_equal(func.low_pc.attr, 0);
  assert_true(func.has_remote_values);

  assert_int_equal(die_walk_next(walk, &func, &err), 1);
  assert_int_equal(func.origin.attr, DW_AT_abstract_origin);
  assert_ptr_equal(func.origin.bytes, func.bytes + 2);
  assert_int_equal(func.linkage_name.attr, DW_AT_linkage_name);

  assert_int_equal(die_walk_next(walk, &func, &err), 0);
  die_walk_end(walk);
  die_walk_end(NULL);
}

/* A function has ended if an entry of its depth follows, of any kind. */
static void blocks_end_functions(void **state) {
  static const uint8_t dies[] = {
      1,        'u',      0,  //
      FUNCTION,               // has depth 1,
      FUNCTION, 0,            // and a function of depth 2
      8,                      // a block of depth 2
      FUNCTION, 0,        0,  // a function of depth 3
      0,        FUNCTION, 0}; // a function of depth 1
  static const unsigned depths[] = {1, 2, 3, 1}, least_depths[] = {0, 2, 2, 1};
  struct die_walk *const walk = begin(dies, sizeof(dies), sizeof(abbrevs));
  struct die_func func;
  struct err err;

  (void)state;
  for (size_t i = 0; i < sizeof(depths) / sizeof(*depths); i++) {
    assert_int_equal(die_walk_next(walk, &func, &err), 1);
    assert_int_equal(func.depth, depths[i]);
    assert_int_equal(func.least_depth, least_depths[i]);
  }
  die_walk_end(walk);
}

static void damage_ends_the_walk(void **state) {
  static const uint8_t unknown_code[] = {1, 0, FUNCTION, 99, FUNCTION};
  static const uint8_t unknown_form[] = {1, 0, FUNCTION, 6, FUNCTION};
  static const uint8_t long_block[] = {1, 0, 2, 1, 0, 0, 0, 0xff, 0x7f, 0};
  static const uint8_t childless[] = {3, 1, 0, 0, 1, 2, 3, 4, 5, 6,       7,
                                      8, 9, 1, 2, 3, 4, 5, 6, 7, FUNCTION};

  (void)state;
  assert_int_equal(
      count_functions(unknown_code, sizeof(unknown_code), sizeof(abbrevs)), 1);
  assert_int_equal(
      count_functions(unknown_form, sizeof(unknown_form), sizeof(abbrevs)), 1);
  assert_int_equal(
      count_functions(long_block, sizeof(long_block), sizeof(abbrevs)), 0);
  assert_int_equal(
      count_functions(childless, sizeof(childless), sizeof(abbrevs)), 0);
}

static void any_end_is_survived(void **state) {
  static const uint8_t dies[] = {1, 'u', 0, FUNCTION, 0, 7, 8,
                                 9, 1,   0, 0,        0, 5, 0};

  (void)state;
  // A copy of exactly this size, so that the sanitizer detects one byte too
  // many.
  for (size_t n_dies = 0; n_dies <= sizeof(dies); n_dies++) {
    uint8_t *const part = test_malloc(n_dies + 1);
    memcpy(part + 1, dies, n_dies);
    const int n = count_functions(part + 1, n_dies, sizeof(abbrevs));
    assert_int_equal(n, (n_dies >= 22) + (n_dies >= 31));
    test_free(part);
  }
  for (size_t n_abbrevs = 0; n_abbrevs < sizeof(abbrevs); n_abbrevs++)
    assert_true(count_functions(dies, sizeof(dies), n_abbrevs) <= 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_are_found_among_others),
      cmocka_unit_test(blocks_end_functions),
      cmocka_unit_test(damage_ends_the_walk),
      cmocka_unit_test(any_end_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
