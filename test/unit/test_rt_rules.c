/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Short rules for stepping to the caller: rows that fit, steps, the cache. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arcline/abi.h"
#include "unwind/rules.h"

/* The runtime of this program would sample it, by the tables that the tests
   release. */
static const char options[]
    __attribute__((section(ARCLINE_SECTION_OPTIONS), used)) = "hz=0";

enum { N_PLACES = 1000, LINK = RT_CPU_LINK, SLOT = RT_RULE_SLOT_BYTES };

/* The n-th register that callees preserve. */
static unsigned preserved(unsigned n) {
  for (unsigned number = 0; number < RT_CPU_N_REGISTERS; number++)
    if ((uint64_t)RT_CPU_PRESERVED >> number & 1 && n-- == 0)
      return number;
  fail();
  return 0;
}

/* For a function that has pushed its second preserved register: the CFA is four
   words above SP, the return address is one below it, the register two. */
static struct rt_cfi_row pushed(void) {
  struct rt_cfi_row row = {.cfa = {.kind = RT_CFI_REGISTER, .value = RT_CPU_SP},
                           .cfa_offset = 4 * SLOT};

  row.registers[LINK] = (struct rt_cfi_rule){RT_CFI_OFFSET, 0, -SLOT};
  row.registers[preserved(1)] =
      (struct rt_cfi_rule){RT_CFI_OFFSET, 0, -2 * SLOT};
  return row;
}

static void a_rule_has_the_slots_of_a_row(void **state) {
  const struct rt_cfi_row row = pushed();
  struct rt_rule rule;

  (void)state;
  assert_true(rt_rule_make(&row, LINK, &rule));
  assert_int_equal(rule.kind, RT_RULE_FRAME);
  assert_int_equal(rule.cfa_register, RT_CPU_SP);
  assert_int_equal(rule.cfa_offset, 4 * SLOT);
  assert_int_equal(rule.link_slot, 1);
  for (unsigned i = 0; i < RT_RULE_REGISTERS; i++)
    assert_int_equal(rule.slots[i], i == 1 ? 2 : 0);
}

static void the_outermost_has_no_return_address(void **state) {
  struct rt_cfi_row row = pushed();
  struct rt_rule rule;

  (void)state;
  row.registers[LINK].kind = RT_CFI_UNDEFINED;
  assert_true(rt_rule_make(&row, LINK, &rule));
  assert_int_equal(rule.kind, RT_RULE_OUTERMOST);
}

/* A return address that is in its register, as in leaves of some CPUs. */
static void the_return_address_may_be_in_a_register(void **state) {
  struct rt_cfi_row row = pushed();
  struct rt_rule rule;

  (void)state;
  row.registers[LINK].kind = RT_CFI_SAME;
  assert_int_equal(rt_rule_make(&row, LINK, &rule), RT_CPU_HAS_LINK);
  row.registers[LINK].kind = RT_CFI_EXPRESSION;
  assert_false(rt_rule_make(&row, LINK, &rule));
}

static void rows_that_do_not_fit_are_rejected(void **state) {
  static const struct rt_cfi_rule links[] = {
      {RT_CFI_OFFSET, 0, 0},
      {RT_CFI_OFFSET, 0, SLOT},
      {RT_CFI_OFFSET, 0, -SLOT - 1},
      {RT_CFI_OFFSET, 0, -(1 << 15) * SLOT},
      {RT_CFI_VAL_OFFSET, 0, -SLOT}};
  static const struct rt_cfi_rule saves[] = {{RT_CFI_OFFSET, 0, -256 * SLOT},
                                             {RT_CFI_UNDEFINED, 0, 0},
                                             {RT_CFI_REGISTER, 0, 1}};
  struct rt_rule rule;

  (void)state;
  for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
    struct rt_cfi_row row = pushed();
    row.registers[LINK] = links[i];
    assert_false(rt_rule_make(&row, LINK, &rule));
  }
  for (size_t i = 0; i < sizeof(saves) / sizeof(*saves); i++) {
    struct rt_cfi_row row = pushed();
    row.registers[preserved(0)] = saves[i];
    assert_false(rt_rule_make(&row, LINK, &rule));
  }
  struct rt_cfi_row row = pushed();
  row.registers[preserved(0)] =
      (struct rt_cfi_rule){RT_CFI_OFFSET, 0, -255 * SLOT};
  assert_true(rt_rule_make(&row, LINK, &rule));
  row.cfa_offset = (int64_t)INT32_MAX + 1;
  assert_false(rt_rule_make(&row, LINK, &rule));
  row = pushed();
  row.cfa.kind = RT_CFI_VAL_EXPRESSION;
  assert_false(rt_rule_make(&row, LINK, &rule));
  row = pushed();
  row.registers[RT_CPU_SP].kind = RT_CFI_OFFSET;
  assert_false(rt_rule_make(&row, LINK, &rule));
}

/* All registers are known; each has ten times its number. */
static struct rt_registers registers_at(const uint64_t *sp) {
  struct rt_registers registers = {.pc = 1};

  for (unsigned i = 0; i < RT_CPU_N_REGISTERS; i++)
    rt_registers_set(&registers, i, 10 * i);
  rt_registers_set(&registers, RT_CPU_SP, (uint64_t)(uintptr_t)sp);
  return registers;
}

static void a_step_leads_to_the_caller(void **state) {
  static const uint64_t stack[] = {90, 91, 92, 93, 94, 95};
  const struct rt_cfi_row row = pushed();
  struct rt_registers registers = registers_at(stack);
  struct rt_safe_reader reader;
  uint8_t window[512];
  struct rt_rule rule;

  (void)state;
  assert_true(rt_rule_make(&row, LINK, &rule));
  rt_safe_reader_init(&reader, window, sizeof(window));
  assert_true(rt_rule_apply(&rule, &reader, &registers));
  assert_int_equal(registers.pc, 93);
  assert_int_equal(registers.values[RT_CPU_SP], (uintptr_t)(stack + 4));
  assert_int_equal(registers.values[preserved(0)], 10 * preserved(0));
  assert_int_equal(registers.values[preserved(1)], 92);
  assert_int_equal(registers.known,
                   (uint64_t)RT_CPU_PRESERVED | (uint64_t)1 << RT_CPU_SP);
}

static void a_step_may_take_the_link_register(void **state) {
  static const uint64_t stack[4];
  struct rt_rule rule = {.cfa_register = RT_CPU_SP};
  struct rt_registers registers = registers_at(stack);
  struct rt_safe_reader reader;
  uint8_t window[512];

  (void)state;
  rt_safe_reader_init(&reader, window, sizeof(window));
  assert_true(rt_rule_apply(&rule, &reader, &registers));
  assert_int_equal(registers.pc, 10 * LINK);
  // The caller's is unknown, unless the CPU's ABI preserves it.
  assert_false(rt_rule_apply(&rule, &reader, &registers));
}

static void a_step_needs_memory_and_registers(void **state) {
  static const uint64_t stack[4];
  struct rt_rule rule = {.cfa_register = RT_CPU_SP, .link_slot = 1};
  struct rt_registers registers = registers_at(stack + 4);
  struct rt_safe_reader reader;
  uint8_t window[512];

  (void)state;
  rt_safe_reader_init(&reader, window, sizeof(window));
  rule.slots[0] = 2;
  registers.values[RT_CPU_SP] = 8; // not mapped
  assert_false(rt_rule_apply(&rule, &reader, &registers));
  // The return address is there, the register is not.
  registers = registers_at(stack + 1);
  registers.values[RT_CPU_FP] = registers.values[RT_CPU_SP];
  rule.slots[0] = 255;
  registers.values[RT_CPU_SP] = SLOT; // 254 words below it, before address 0
  rule.link_slot = 0;
  assert_false(rt_rule_apply(&rule, &reader, &registers));
  registers = registers_at(stack + 4);
  registers.known &= ~((uint64_t)1 << RT_CPU_SP);
  assert_false(rt_rule_apply(&rule, &reader, &registers));
}

/* --- The cache --- */

static void rules_are_found_again(void **state) {
  const struct rt_rule kept = {.cfa_offset = 16, .link_slot = 1};
  struct rt_rule found;

  (void)state;
  rt_rules_keep(0x1234, 1, &kept); // without memory: ignored
  assert_false(rt_rules_find(0x1234, 1, &found));
  rt_rules_init();
  assert_false(rt_rules_find(0x1234, 1, &found));
  rt_rules_keep(0x1234, 1, &kept);
  assert_true(rt_rules_find(0x1234, 1, &found));
  assert_memory_equal(&found, &kept, sizeof(kept));
  assert_false(rt_rules_find(0x1234, 2, &found));
  assert_false(rt_rules_find(0x1235, 1, &found));
  for (uint64_t i = 0; i < N_PLACES; i++)
    rt_rules_keep(0x400000 + 5 * i, 1, &kept);
  size_t n_found = 0;
  for (uint64_t i = 0; i < N_PLACES; i++)
    n_found += rt_rules_find(0x400000 + 5 * i, 1, &found);
  assert_true(n_found > N_PLACES * 3 / 4); // some share an entry
  rt_rules_release();
  assert_false(rt_rules_find(0x1234, 1, &found));
}

enum { N_ROUNDS = 1000000, PC = 0x5678 };

/* Two rules that differ in every byte; no mixture has the sum of either. */
static struct rt_rule rule_of(unsigned value) {
  static const uint8_t bytes[2][3] = {{0x11, 0x22, 0x44}, {0x88, 0x07, 0x30}};
  struct rt_rule rule;

  for (size_t i = 0; i < sizeof(rule); i++)
    ((uint8_t *)&rule)[i] = bytes[value][i / 8];
  return rule;
}

static void *keep_rules(void *value) {
  const struct rt_rule rule = rule_of(*(const unsigned *)value);

  for (int i = 0; i < N_ROUNDS; i++)
    rt_rules_keep(PC, 1, &rule);
  return NULL;
}

/* An entry that two threads write at once is one of the two rules, or none. */
static void a_mixture_is_no_rule(void **state) {
  static const unsigned values[] = {0, 1};
  const struct rt_rule rules[] = {rule_of(values[0]), rule_of(values[1])};
  struct rt_rule found;
  pthread_t threads[2];

  (void)state;
  rt_rules_init();
  for (int i = 0; i < 2; i++)
    assert_int_equal(
        pthread_create(&threads[i], NULL, keep_rules, (void *)&values[i]), 0);
  for (int i = 0; i < N_ROUNDS; i++)
    if (rt_rules_find(PC, 1, &found))
      assert_true(memcmp(&found, &rules[0], sizeof(found)) == 0 ||
                  memcmp(&found, &rules[1], sizeof(found)) == 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  rt_rules_release();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rule_has_the_slots_of_a_row),
      cmocka_unit_test(the_outermost_has_no_return_address),
      cmocka_unit_test(the_return_address_may_be_in_a_register),
      cmocka_unit_test(rows_that_do_not_fit_are_rejected),
      cmocka_unit_test(a_step_leads_to_the_caller),
      cmocka_unit_test(a_step_may_take_the_link_register),
      cmocka_unit_test(a_step_needs_memory_and_registers),
      cmocka_unit_test(rules_are_found_again),
      cmocka_unit_test(a_mixture_is_no_rule),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
