/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Unwind tables: made-up ones, valid and damaged, and the rules that follow
   from them. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "guarded_pages.h"
#include "unwind/cfi.h"
#include "unwind/expression.h"
#include "unwind/rules.h"
#include "unwind/tables.h"

enum { WINDOW = 512, N_BENT = 20000 };

/* --- Made-up tables --- */

/** Bytes of tables, and their address. */
struct made {
  uint8_t *bytes;
  size_t n;
};

static void put(struct made *made, uint64_t value, size_t n) {
  memcpy(made->bytes + made->n, &value, n);
  made->n += n;
}

static void put_bytes(struct made *made, const void *bytes, size_t n) {
  memcpy(made->bytes + made->n, bytes, n);
  made->n += n;
}

/** Fill in the length of the entry that begins at start. */
static void end_entry(struct made *made, size_t start) {
  while (made->n % 4)
    put(made, 0, 1);
  const uint32_t length = (uint32_t)(made->n - start - 4);
  memcpy(made->bytes + start, &length, sizeof(length));
}

enum { START = 0x1000, SIZE = 0x100, LINK = RT_CPU_LINK };

/** A CIE, CFA = SP + 8 and the return address right below it, and an FDE about
 * START with the given instructions. Returns where the FDE begins. */
static size_t put_tables(struct made *made, const char *augmentation,
                         const uint8_t *code, size_t n_code) {
  const size_t cie = made->n;

  put(made, 0, 4);
  put(made, 0, 4);
  put(made, 1, 1);
  put_bytes(made, augmentation, strlen(augmentation) + 1);
  put(made, 1, 1);    // code alignment
  put(made, 0x78, 1); // data alignment: -8
  put(made, LINK, 1);
  put(made, strlen(augmentation) - 1, 1);
  for (const char *at = augmentation + 1; *at; at++)
    if (*at == 'R')
      put(made, 0x00, 1); // absolute
  put(made, 0x0c, 1), put(made, RT_CPU_SP, 1), put(made, 8, 1);
  put(made, 0x80 | LINK, 1), put(made, 1, 1);
  end_entry(made, cie);
  const size_t fde = made->n;
  put(made, 0, 4);
  put(made, made->n - cie, 4);
  put(made, START, 8);
  put(made, SIZE, 8);
  put(made, 0, 1);
  put_bytes(made, code, n_code);
  end_entry(made, fde);
  return fde;
}

/** CFI of a compiler for: push FP; mov SP, FP; ...; pop FP; ret; a cold
 * part. */
static const uint8_t usual[] = {
    0x41, // 1: advance
    0x0e,
    16, // CFA = SP + 16
    0x80 | RT_CPU_FP,
    2,    // FP at CFA - 16
    0x43, // 4: advance
    0x0d,
    RT_CPU_FP, // CFA = FP + 16
    0x02,
    0x10, // 0x14: advance
    0x0a, // remember
    0x0c,
    RT_CPU_SP,
    8,                // CFA = SP + 8
    0xc0 | RT_CPU_FP, // FP as at first
    0x41,             // 0x15: advance
    0x0b,             // as remembered
    0x2e,
    0x90,
    0x01, // size of arguments
    0x03,
    0x40,
    0x00, // 0x55: advance
    0x0f,
    2,
    0x70 | RT_CPU_FP,
    32, // CFA = FP + 32, as an expression
    0x0a,
};

#define ROOM ((struct rt_cfi_room *)room_memory)
static uint8_t room_memory[sizeof(struct rt_cfi_room)]
    __attribute__((aligned(16)));

static struct rt_safe_reader tables_reader(void) {
  static uint8_t window[WINDOW];
  struct rt_safe_reader reader;

  rt_safe_reader_init(&reader, window, sizeof(window));
  return reader;
}

static bool find_row(const struct made *made, size_t fde, uint64_t pc) {
  struct rt_safe_reader reader = tables_reader();
  struct rt_cfi cfi;

  return rt_cfi_read(&reader, (uintptr_t)made->bytes + fde, &cfi) &&
         rt_cfi_find(&reader, &cfi, pc, ROOM);
}

static void check_row(const struct made *made, size_t fde, uint64_t offset,
                      int cfa, int cfa_offset, bool has_fp) {
  assert_true(find_row(made, fde, START + offset));
  const struct rt_cfi_row *row = &ROOM->row;
  assert_int_equal(row->cfa.kind, RT_CFI_REGISTER);
  assert_int_equal(row->cfa.value, cfa);
  assert_int_equal(row->cfa_offset, cfa_offset);
  assert_int_equal(row->registers[LINK].kind, RT_CFI_OFFSET);
  assert_int_equal(row->registers[LINK].value, -8);
  assert_int_equal(row->registers[RT_CPU_FP].kind,
                   has_fp ? RT_CFI_OFFSET : RT_CFI_SAME);
  assert_int_equal(row->registers[RT_CPU_FP].value, has_fp ? -16 : 0);
}

static void rows_of_a_usual_function(void **state) {
  uint8_t bytes[512];
  struct made made = {.bytes = bytes};

  (void)state;
  const size_t fde = put_tables(&made, "zR", usual, sizeof(usual));
  check_row(&made, fde, 0, RT_CPU_SP, 8, false);
  check_row(&made, fde, 1, RT_CPU_SP, 16, true);
  check_row(&made, fde, 3, RT_CPU_SP, 16, true);
  check_row(&made, fde, 4, RT_CPU_FP, 16, true);
  check_row(&made, fde, 0x13, RT_CPU_FP, 16, true);
  check_row(&made, fde, 0x14, RT_CPU_SP, 8, false);
  check_row(&made, fde, 0x15, RT_CPU_FP, 16, true);
  check_row(&made, fde, 0x54, RT_CPU_FP, 16, true);
  assert_true(find_row(&made, fde, START + SIZE - 1));
  assert_int_equal(ROOM->row.cfa.kind, RT_CFI_VAL_EXPRESSION);
  assert_int_equal(ROOM->row.cfa.n_bytes, 2);
  assert_false(find_row(&made, fde, START - 1));
  assert_false(find_row(&made, fde, START + SIZE));
}

static void signal_frames_are_told(void **state) {
  uint8_t bytes[512];
  struct made made = {.bytes = bytes};
  struct rt_safe_reader reader = tables_reader();
  struct rt_cfi cfi;

  (void)state;
  const size_t fde = put_tables(&made, "zRS", usual, sizeof(usual));
  assert_true(rt_cfi_read(&reader, (uintptr_t)bytes + fde, &cfi));
  assert_true(cfi.is_signal);
  assert_int_equal(cfi.start, START);
  assert_int_equal(cfi.end, START + SIZE);
  // An unknown augmentation is rejected: the form of its data is unknown.
  made.n = 0;
  const size_t odd = put_tables(&made, "eh", usual, sizeof(usual));
  rt_safe_reader_forget(&reader);
  assert_false(rt_cfi_read(&reader, (uintptr_t)bytes + odd, &cfi));
}

static void refused(const uint8_t *code, size_t n) {
  uint8_t bytes[512];
  struct made made = {.bytes = bytes};

  const size_t fde = put_tables(&made, "zR", code, n);
  assert_false(find_row(&made, fde, START + 8));
}

static void senseless_instructions_are_refused(void **state) {
  uint8_t deep[RT_CFI_REMEMBERED + 1];

  (void)state;
  memset(deep, 0x0a, sizeof(deep));
  refused(deep, sizeof(deep));
  refused((const uint8_t[]){0x0b}, 1);             // the stack of rows is empty
  refused((const uint8_t[]){0x3f}, 1);             // no instruction
  refused((const uint8_t[]){0x0c, 0x7f, 8}, 3);    // CFA by no register
  refused((const uint8_t[]){0x0f, 0x7f, 0x70}, 3); // longer than the entry
  refused((const uint8_t[]){0x04, 0, 0}, 3);       // cut off, with no padding
}

/* At the end of memory, cut at each byte, and with each byte replaced: the
   result does not matter, but no other memory is read. */
static void bent_tables_do_no_harm(void **state) {
  uint8_t *const memory = map_pages(1);
  uint8_t bytes[512];
  struct made made = {.bytes = bytes};
  unsigned n_good = 0;

  (void)state;
  const size_t fde = put_tables(&made, "zR", usual, sizeof(usual));
  for (size_t n_cut = 1; n_cut < made.n; n_cut++) {
    const struct made moved = {.bytes = memory + PAGE - (made.n - n_cut)};
    memcpy(moved.bytes, bytes, made.n - n_cut);
    if (fde < made.n - n_cut)
      assert_false(find_row(&moved, fde, START + SIZE - 1));
  }
  const struct made whole = {.bytes = memory + PAGE - made.n};
  srand(1);
  for (int i = 0; i < N_BENT; i++) {
    memcpy(whole.bytes, bytes, made.n);
    for (int j = rand() % 4; j >= 0; j--)
      whole.bytes[(size_t)rand() % made.n] = (uint8_t)rand();
    n_good += find_row(&whole, fde, START + (uint64_t)rand() % SIZE);
  }
  assert_true(n_good >= 1 && n_good <= N_BENT - 1);
  munmap(memory, 2 * PAGE);
}

static void endless_instructions_end(void **state) {
  enum { N = 1 << 20 };
  struct made made = {.bytes = calloc(1, N + 512)};
  uint8_t *const nops = calloc(1, N);

  (void)state;
  assert_true(made.bytes && nops);
  const size_t fde = put_tables(&made, "zR", nops, N);
  assert_false(find_row(&made, fde, START));
  free(nops);
  free(made.bytes);
}

/* --- Expressions --- */

static bool compute(const uint8_t *code, size_t n, uint64_t *out) {
  struct rt_registers registers = {.known = (uint64_t)1 << RT_CPU_SP};
  struct rt_safe_reader reader = tables_reader(), memory;
  struct rt_cursor cursor = {
      .reader = &reader, .at = (uintptr_t)code, .end = (uintptr_t)code + n};
  const uint64_t initial = 5;
  uint8_t window[WINDOW];

  rt_safe_reader_init(&memory, window, sizeof(window));
  registers.values[RT_CPU_SP] = 0x1000;
  return rt_expression(&cursor, &registers, &memory, &initial, out);
}

static void check_value(const uint8_t *code, size_t n, uint64_t expected) {
  uint64_t value;

  assert_true(compute(code, n, &value));
  assert_int_equal(value, expected);
}

#define CODE(...)                                                              \
  (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]) { __VA_ARGS__ }

static void expressions_compute(void **state) {
  static const uint64_t word = 0x1122334455667788;
  uint8_t load[10] = {0x03}; // address; its contents
  uint64_t value;

  (void)state;
  check_value(NULL, 0, 5);
  check_value(CODE(0x70 | RT_CPU_SP, 0x78), 0x1000 - 8);
  check_value(CODE(0x92, RT_CPU_SP, 8), 0x1008);
  check_value(CODE(0x09, 0xff), (uint64_t)-1);
  check_value(CODE(0x08, 0xff), 255);
  check_value(CODE(0x0b, 0x00, 0x80), (uint64_t)-0x8000);
  check_value(CODE(0x23, 0x10), 21);
  check_value(CODE(0x33, 0x16, 0x1c), (uint64_t)-2); // swapped, subtracted
  check_value(CODE(0x33, 0x14, 0x22), 8);            // over, added
  // As linkers write for a procedure linkage table.
  check_value(
      CODE(0x70 | RT_CPU_SP, 8, 0x3b, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22),
      0x1010);
  uint64_t address = (uintptr_t)&word;
  memcpy(load + 1, &address, 8);
  load[9] = 0x06;
  check_value(load, sizeof(load), word);
  address = 16;
  memcpy(load + 1, &address, 8);
  assert_false(compute(load, sizeof(load), &value));
}

static void expressions_are_bounded(void **state) {
  uint8_t many[200];
  uint64_t value;

  (void)state;
  assert_false(compute(CODE(0x13, 0x22), &value)); // nothing is left
  assert_false(compute(CODE(0x13), &value));       // no result
  assert_false(compute(CODE(0x15, 9), &value));    // the stack has fewer
  assert_false(compute(CODE(0x70 | (RT_CPU_SP ^ 1), 0), &value)); // unknown
  assert_false(compute(CODE(0x92, 0xff, 0x7f, 0), &value));
  assert_false(compute(CODE(0x31, 0x30, 0x1b), &value)); // division
  assert_false(compute(CODE(0x2f, 0xfd, 0xff), &value)); // a jump
  assert_false(compute(CODE(0x08), &value));             // cut off
  memset(many, 0x31, sizeof(many));
  assert_false(compute(many, sizeof(many), &value));
  memset(many, 0x96, sizeof(many));
  assert_false(compute(many, sizeof(many), &value));
}

/* --- The index --- */

static void index_finds_the_function(void **state) {
  uint8_t bytes[256];
  struct made made = {.bytes = bytes};
  struct rt_safe_reader reader = tables_reader();
  const uint64_t at = (uintptr_t)bytes;
  bool is_index;

  (void)state;
  put(&made, 0x3b031b01, 4);
  put(&made, 0, 4);
  put(&made, 5, 4);
  for (uint64_t i = 0; i < 5; i++)
    put(&made, 0x1000 + i * 0x100, 4), put(&made, 0x9000 + i * 0x10, 4);
  assert_int_equal(rt_tables_find(&reader, at, at + 0xfff, &is_index), 0);
  assert_true(is_index);
  for (uint64_t i = 0; i < 5; i++) {
    assert_int_equal(
        rt_tables_find(&reader, at, at + 0x1000 + i * 0x100, &is_index),
        at + 0x9000 + i * 0x10);
    assert_int_equal(
        rt_tables_find(&reader, at, at + 0x10ff + i * 0x100, &is_index),
        at + 0x9000 + i * 0x10);
  }
  bytes[0] = 2; // of another version
  rt_safe_reader_forget(&reader);
  rt_tables_find(&reader, at, at + 0x1000, &is_index);
  assert_false(is_index);
  bytes[0] = 1;
  memset(bytes + 8, 0xff, 4); // more entries than memory
  rt_safe_reader_forget(&reader);
  assert_int_equal(rt_tables_find(&reader, at, at + 0x1000, &is_index), 0);
  assert_int_equal(rt_tables_find(&reader, 0, at, &is_index), 0);
  assert_false(is_index);
}

/* --- Rules --- */

static void rules_say_what_rows_say(void **state) {
  uint8_t bytes[512], window[WINDOW];
  struct made made = {.bytes = bytes};
  struct rt_rule rule, kept;
  struct rt_registers registers = {.known = ~(uint64_t)0};
  const uint64_t words[] = {1, 0xbeef, 0x4711, 2};
  struct rt_safe_reader stack;

  (void)state;
  const size_t fde = put_tables(&made, "zR", usual, sizeof(usual));
  assert_true(find_row(&made, fde, START + 4));
  assert_true(rt_rule_make(&ROOM->row, LINK, &rule));
  rt_safe_reader_init(&stack, window, sizeof(window));
  registers.values[RT_CPU_FP] = (uintptr_t)&words[1];
  assert_true(rt_rule_apply(&rule, &stack, &registers));
  assert_int_equal(registers.pc, 0x4711);
  assert_int_equal(registers.values[RT_CPU_FP], 0xbeef);
  assert_int_equal(registers.values[RT_CPU_SP], (uintptr_t)&words[3]);
  registers.values[RT_CPU_FP] = 0x10;
  assert_false(rt_rule_apply(&rule, &stack, &registers));
  // An expression does not fit into a rule.
  assert_true(find_row(&made, fde, START + 0x60));
  assert_false(rt_rule_make(&ROOM->row, LINK, &kept));

  assert_false(rt_rules_find(0x1234, 1, &kept));
  rt_rules_init();
  assert_false(rt_rules_find(0x1234, 1, &kept));
  rt_rules_keep(0x1234, 1, &rule);
  assert_true(rt_rules_find(0x1234, 1, &kept));
  assert_memory_equal(&kept, &rule, sizeof(rule));
  assert_false(rt_rules_find(0x1235, 1, &kept));
  assert_false(rt_rules_find(0x1234, 2, &kept));
  rt_rules_release();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_of_a_usual_function),
      cmocka_unit_test(signal_frames_are_told),
      cmocka_unit_test(senseless_instructions_are_refused),
      cmocka_unit_test(bent_tables_do_no_harm),
      cmocka_unit_test(endless_instructions_end),
      cmocka_unit_test(expressions_compute),
      cmocka_unit_test(expressions_are_bounded),
      cmocka_unit_test(index_finds_the_function),
      cmocka_unit_test(rules_say_what_rows_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
