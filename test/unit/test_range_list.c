/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Range lists of split units: every kind of entry, and damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "debug/range_list.h"

static const uint8_t addrs[] = {0, 0, 0, 0x10, 0, 0, 0, 0x20};

static struct unit_addresses make_unit(unsigned version, const uint8_t *lists,
                                       size_t n_bytes) {
  return (struct unit_addresses){
      .version = version,
      .address_bytes = 4,
      .offset_bytes = 4,
      .is_big_endian = true,
      .addrs = {.bytes = addrs, .n_bytes = sizeof(addrs)},
      .lists = {.bytes = lists, .n_bytes = n_bytes},
      .base = 0x1000,
  };
}

static void check_next(struct range_list *list, uint64_t low, uint64_t high) {
  uint64_t found_low, found_high;

  assert_true(range_list_next(list, &found_low, &found_high));
  assert_int_equal(found_low, low);
  assert_int_equal(found_high, high);
}

static void check_end(struct range_list *list) {
  uint64_t low, high;

  assert_false(range_list_next(list, &low, &high));
}

static void addresses_have_numbers(void **state) {
  const struct unit_addresses unit = make_unit(5, NULL, 0);
  uint64_t vaddr;

  (void)state;
  assert_true(unit_address(&unit, 1, &vaddr));
  assert_int_equal(vaddr, 0x20);
  assert_false(unit_address(&unit, 2, &vaddr));
  assert_false(unit_address(&unit, UINT64_MAX / 2, &vaddr));
}

static void all_entries_of_dwarf_5_are_read(void **state) {
  static const uint8_t lists[] = {
      0, 0, 0,    0, 0, 5, 4, 0,  0, 0, 0, 2, // header: two lists
      0, 0, 0,    8, 0, 0, 0, 11,             // where they begin
      4, 1, 2,                                // offset_pair
      1, 1,                                   // base_addressx
      4, 1, 2,                                // offset_pair
      2, 0, 1,                                // startx_endx
      3, 1, 0x81, 1,                          // startx_length
      5, 0, 0,    3, 0,                       // base_address
      4, 0, 1,                                // offset_pair
      6, 0, 0,    0, 7, 0, 0, 0,  9,          // start_end
      7, 0, 0,    0, 7, 1,                    // start_length
      0,
  };
  const struct unit_addresses unit = make_unit(5, lists, sizeof(lists));

  (void)state;
  struct range_list list = range_list_begin(&unit, 0, true);
  check_next(&list, 0x1001, 0x1002);
  check_next(&list, 0x21, 0x22);
  list = range_list_begin(&unit, 1, true);
  check_next(&list, 0x21, 0x22);
  check_next(&list, 0x10, 0x20);
  check_next(&list, 0x20, 0xa1);
  check_next(&list, 0x300, 0x301);
  check_next(&list, 7, 9);
  check_next(&list, 7, 8);
  check_end(&list);
  list = range_list_begin(&unit, 20, false);
  check_next(&list, 0x1001, 0x1002);
  list = range_list_begin(&unit, 2, true);
  check_end(&list);
  list = range_list_begin(&unit, sizeof(lists), false);
  check_end(&list);
}

static void numbers_have_no_sign(void **state) {
  static const uint8_t lists[] = {
      4, 0x40, 0x7f,             // offset_pair
      2, 0x40, 0x41,             // startx_endx
      3, 0x40, 0x7f,             // startx_length
      7, 0,    0,    0, 7, 0x7f, // start_length
      0,
  };
  static uint8_t many[0x42 * 4];
  struct unit_addresses unit = make_unit(5, lists, sizeof(lists));
  struct range_list list = range_list_begin(&unit, 0, false);

  (void)state;
  many[0x40 * 4 + 3] = 5;
  many[0x41 * 4 + 3] = 6;
  unit.addrs.bytes = many;
  unit.addrs.n_bytes = sizeof(many);
  check_next(&list, 0x1040, 0x107f);
  check_next(&list, 5, 6);
  check_next(&list, 5, 5 + 0x7f);
  check_next(&list, 7, 7 + 0x7f);
  check_end(&list);
}

static void lists_may_be_of_64_bits(void **state) {
  static const uint8_t lists[] = {
      0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 40, // length
      0,    5,    4,    0,    0, 0, 0, 1,              // one list
      0,    0,    0,    0,    0, 0, 0, 8,              // where it begins
      4,    1,    2,    0,
  };
  const struct unit_addresses unit = make_unit(5, lists, sizeof(lists));

  (void)state;
  struct range_list list = range_list_begin(&unit, 0, true);
  check_next(&list, 0x1001, 0x1002);
  check_end(&list);
}

/** If there is no such list, or it cannot be found, no other data is read. */
static void lists_that_are_not_there_are_empty(void **state) {
  static const uint8_t after_the_table[] = {
      0, 0, 0, 0, 0, 5, 4, 0, 0, 0, 0, 1, // header: one list
      0, 0, 0, 4,                         // where it begins
      0, 0, 0, 8,                         // its end; a list in a longer table
      7, 0, 0, 0, 7, 1, 0,
  };
  static const uint8_t without_table[] = {
      0, 0, 0, 0, 0, 5, 4, 0, 0, 0, 0, 0, // header: no list
      7, 0, 0, 0, 7, 1, 0,
  };
  static const uint8_t cut_off[] = {
      0, 0, 0, 0, 0, 5, 4, 0, 0, 0, 0, 1, // header: one list
      4, 1, 2,                            // of four bytes
  };
  struct unit_addresses unit =
      make_unit(5, after_the_table, sizeof(after_the_table));

  (void)state;
  struct range_list list = range_list_begin(&unit, 0, true);
  check_end(&list);
  list = range_list_begin(&unit, 1, true);
  check_end(&list);
  unit = make_unit(5, without_table, sizeof(without_table));
  list = range_list_begin(&unit, 0, true);
  check_end(&list);
  unit = make_unit(5, cut_off, sizeof(cut_off));
  list = range_list_begin(&unit, 0, true);
  check_end(&list);
}

static void addresses_that_are_not_there_end_the_list(void **state) {
  static const uint8_t range[] = {2, 9, 1, 7, 0, 0, 0, 7, 1, 0};
  static const uint8_t base[] = {1, 9, 4, 1, 2, 0};
  struct unit_addresses unit = make_unit(5, range, sizeof(range));

  (void)state;
  struct range_list list = range_list_begin(&unit, 0, false);
  check_end(&list);
  unit = make_unit(5, base, sizeof(base));
  list = range_list_begin(&unit, 0, false);
  check_end(&list);
}

static void pairs_may_have_8_bytes(void **state) {
  static const uint8_t lists[] = {
      0,    0,    0,    0,    0,    0,    0,    0,    //
      0,    0,    0,    0,    0,    0,    0,    2,    //
      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // base address
      0,    0,    0,    1,    0,    0,    0,    0,    //
      0,    0,    0,    0,    0,    0,    0,    1,    //
      0,    0,    0,    0,    0,    0,    0,    2,    //
      0,    0,    0,    0,    0,    0,    0,    0,    //
      0,    0,    0,    0,    0,    0,    0,    0,    //
  };
  struct unit_addresses unit = make_unit(4, lists, sizeof(lists));

  (void)state;
  unit.address_bytes = 8;
  struct range_list list = range_list_begin(&unit, 0, false);
  check_next(&list, 0x1000, 0x1002);
  check_next(&list, 0x100000001, 0x100000002);
  check_end(&list);
}

static void pairs_of_dwarf_4_are_read(void **state) {
  static const uint8_t lists[] = {
      0,    0,    0,    1,    0, 0, 0, 2, //
      0xff, 0xff, 0xff, 0xff, 0, 0, 2, 0, // base address
      0,    0,    0,    1,    0, 0, 0, 2, //
      0,    0,    0,    0,    0, 0, 0, 0, //
      0,    0,    0,    1,                // cut off
  };
  const struct unit_addresses unit = make_unit(4, lists, sizeof(lists));

  (void)state;
  struct range_list list = range_list_begin(&unit, 0, false);
  check_next(&list, 0x1001, 0x1002);
  check_next(&list, 0x201, 0x202);
  check_end(&list);
  list = range_list_begin(&unit, 32, false);
  check_end(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(addresses_have_numbers),
      cmocka_unit_test(all_entries_of_dwarf_5_are_read),
      cmocka_unit_test(numbers_have_no_sign),
      cmocka_unit_test(lists_may_be_of_64_bits),
      cmocka_unit_test(lists_that_are_not_there_are_empty),
      cmocka_unit_test(addresses_that_are_not_there_end_the_list),
      cmocka_unit_test(pairs_may_have_8_bytes),
      cmocka_unit_test(pairs_of_dwarf_4_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
