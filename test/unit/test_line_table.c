/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Line-number programs, written by hand: rows, sequences, names, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "debug/line_table.h"

/** A program that is being written. */
struct program {
  uint8_t bytes[4096];
  size_t n_bytes;
};

static void put(struct program *program, const void *bytes, size_t n_bytes) {
  assert_true(program->n_bytes + n_bytes <= sizeof(program->bytes));
  memcpy(program->bytes + program->n_bytes, bytes, n_bytes);
  program->n_bytes += n_bytes;
}

static void put_uint(struct program *program, uint64_t value, size_t n_bytes) {
  for (size_t i = 0; i < n_bytes; i++)
    put(program, &(uint8_t){(uint8_t)(value >> 8 * i)}, 1);
}

static void put_text(struct program *program, const char *text) {
  put(program, text, strlen(text) + 1);
}

static void patch_u32(struct program *program, size_t off, size_t value) {
  for (size_t i = 0; i < 4; i++)
    program->bytes[off + i] = (uint8_t)(value >> 8 * i);
}

/** Everything before the lists: line_base -5, line_range 14, opcode_base 13. */
static void begin(struct program *program, unsigned version) {
  static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};

  *program = (struct program){.n_bytes = 0};
  put_uint(program, 0, 4); // unit_length: set by end()
  put_uint(program, version, 2);
  if (version == 5)
    put_uint(program, 8, 2);
  put_uint(program, 0, 4); // header_length
  put_uint(program, 1, 1);
  if (version >= 4)
    put_uint(program, 1, 1);
  put_uint(program, 1, 1);
  put_uint(program, (uint8_t)-5, 1);
  put_uint(program, 14, 1);
  put_uint(program, 13, 1);
  put(program, operands, sizeof(operands));
}

static void end_header(struct program *program) {
  size_t off = program->bytes[4] == 5 ? 8 : 6;
  patch_u32(program, off, program->n_bytes - off - 4);
}

/** Header of version 4 with directory "sub" and the files a.c and sub/b.c. */
static void begin_v4(struct program *program) {
  begin(program, 4);
  put_text(program, "sub");
  put_uint(program, 0, 1);
  put_text(program, "a.c");
  put_uint(program, 0, 3);
  put_text(program, "b.c");
  put_uint(program, 1, 3); // directory 1, no time, no size
  put_uint(program, 0, 1);
  end_header(program);
}

/** Header of version 5 with the files /src/main.c and /src/sub/h.h. */
static void begin_v5(struct program *program) {
  begin(program, 5);
  put(program, (uint8_t[]){1, 1, 0x08}, 3); // path: string
  put_uint(program, 2, 1);
  put_text(program, "/src");
  put_text(program, "sub");
  put(program, (uint8_t[]){2, 1, 0x08, 2, 0x0b}, 5); // and directory: data1
  put_uint(program, 2, 1);
  put_text(program, "main.c");
  put_uint(program, 0, 1);
  put_text(program, "h.h");
  put_uint(program, 1, 1);
  end_header(program);
}

static void set_address(struct program *program, uint64_t vaddr) {
  put(program, (uint8_t[]){0, 9, 2}, 3);
  put_uint(program, vaddr, 8);
}

/** A row that many bytes and lines further. */
static void row(struct program *program, unsigned n_bytes, int n_lines) {
  put_uint(program, (unsigned)(n_lines + 5) + 14 * n_bytes + 13, 1);
}

static void end_sequence(struct program *program, unsigned n_bytes) {
  put_uint(program, 2, 1); // advance_pc
  put_uint(program, n_bytes, 1);
  put(program, (uint8_t[]){0, 1, 1}, 3);
}

static struct line_table load_as(struct program *program, uint64_t seq_low,
                                 unsigned flags) {
  const struct line_sections sections = {
      .line = {program->bytes, program->n_bytes}};
  struct line_table table;
  struct err err = {0};

  patch_u32(program, 0, program->n_bytes - 4);
  assert_int_equal(line_table_load(&sections, 0, seq_low, flags, &table, &err),
                   0);
  return table;
}

static struct line_table load(struct program *program, uint64_t seq_low,
                              bool has_gnu_bugs) {
  return load_as(program, seq_low, has_gnu_bugs ? LINE_TABLE_FILE_0 : 0);
}

static void assert_line(struct line_table *table, uint64_t vaddr,
                        uint32_t line) {
  const struct line_row *found = line_table_find(table, vaddr);

  if (line == 0) {
    assert_null(found);
    return;
  }
  assert_non_null(found);
  assert_int_equal(found->line, line);
}

static void row_covers_up_to_the_next(void **state) {
  struct program program;

  (void)state;
  begin_v4(&program);
  set_address(&program, 0x1000);
  row(&program, 0, 4); // line 5
  row(&program, 8, 2); // line 7 at 0x1008
  end_sequence(&program, 8);
  struct line_table table = load(&program, 0, false);
  assert_line(&table, 0xfff, 0);
  assert_line(&table, 0x1000, 5);
  assert_line(&table, 0x1007, 5);
  assert_line(&table, 0x1008, 7);
  assert_line(&table, 0x100f, 7);
  assert_line(&table, 0x1010, 0);
  assert_int_equal(table.n_bytes, program.n_bytes);
  line_table_release(&table);
}

static void last_row_of_an_address_counts(void **state) {
  struct program program;

  (void)state;
  begin_v4(&program);
  set_address(&program, 0x1000);
  row(&program, 0, 4);
  row(&program, 0, 3);
  end_sequence(&program, 4);
  struct line_table table = load(&program, 0, false);
  assert_line(&table, 0x1000, 8);
  assert_int_equal(table.n_rows, 1);
  line_table_release(&table);
}

static void rows_out_of_order_are_sorted(void **state) {
  struct program program;

  (void)state;
  begin_v4(&program);
  set_address(&program, 0x1010);
  row(&program, 0, 1); // line 2
  set_address(&program, 0x1000);
  row(&program, 0, 1); // line 3
  set_address(&program, 0x1008);
  row(&program, 0, 1); // line 4
  end_sequence(&program, 16);
  struct line_table table = load(&program, 0, false);
  assert_line(&table, 0x1000, 3);
  assert_line(&table, 0x1008, 4);
  assert_line(&table, 0x1017, 2);
  line_table_release(&table);
}

static void nested_sequence_goes_and_overlapping_one_is_cut(void **state) {
  struct program program;

  (void)state;
  begin_v4(&program);
  set_address(&program, 0x1000);
  row(&program, 0, 1); // line 2 up to 0x1020
  end_sequence(&program, 0x20);
  set_address(&program, 0x1008);
  row(&program, 0, 2); // line 3, inside
  end_sequence(&program, 8);
  set_address(&program, 0x1018);
  row(&program, 0, 3); // line 4, overlaps
  end_sequence(&program, 0x10);
  struct line_table table = load(&program, 0, false);
  assert_int_equal(table.n_seqs, 2);
  assert_line(&table, 0x1008, 2);
  assert_line(&table, 0x101f, 2);
  assert_line(&table, 0x1020, 4);
  assert_line(&table, 0x1028, 0);
  line_table_release(&table);
}

static void dropped_code_is_left_out(void **state) {
  struct program program;

  (void)state;
  begin_v4(&program);
  set_address(&program, 0);
  row(&program, 0, 1);
  end_sequence(&program, 0x40);
  set_address(&program, 0x1000);
  row(&program, 0, 2);
  end_sequence(&program, 8);
  struct line_table table = load(&program, 0x1000, false);
  assert_line(&table, 0, 0);
  assert_line(&table, 0x1000, 3);
  line_table_release(&table);
  table = load(&program, 0, false);
  assert_line(&table, 0, 2);
  line_table_release(&table);
}

static void assert_name(const struct line_table *table, uint32_t i_file,
                        const char *comp_dir, const char *expected) {
  char *name = line_table_file_name(table, i_file, comp_dir);

  assert_string_equal(name, expected);
  free(name);
}

static void names_are_joined(void **state) {
  struct program program;

  (void)state;
  begin_v4(&program);
  struct line_table table = load(&program, 0, false);
  assert_name(&table, 0, "/src", "<unknown>");
  assert_name(&table, 1, "/src", "/src/a.c");
  assert_name(&table, 2, "/src", "/src/sub/b.c");
  assert_name(&table, 2, NULL, "sub/b.c");
  assert_name(&table, 3, "/src", "<unknown>");
  assert_name(&table, UINT32_MAX, "/src", "<unknown>");
  line_table_release(&table);
  begin_v5(&program);
  table = load(&program, 0, false);
  assert_name(&table, 0, "/elsewhere", "/src/main.c");
  assert_name(&table, 1, "/src", "/src/sub/h.h");
  assert_name(&table, 2, "/src", "<unknown>");
  line_table_release(&table);
}

static void sequence_starts_in_file_1_or_by_gprofs_mistake(void **state) {
  struct program program;

  (void)state;
  begin_v5(&program);
  set_address(&program, 0x1000);
  row(&program, 0, 1);
  end_sequence(&program, 8);
  struct line_table table = load(&program, 0, false);
  assert_int_equal(line_table_find(&table, 0x1000)->i_file, 1);
  line_table_release(&table);
  table = load(&program, 0, true);
  assert_int_equal(line_table_find(&table, 0x1000)->i_file, 0);
  line_table_release(&table);
}

/** Add an opcode that does not change the file. */
static void put_quiet_opcode(struct program *program, unsigned choice) {
  const uint8_t number = (uint8_t)(choice / 8 % 4);
  const uint8_t minus = (uint8_t)(0x80 - number) & 0x7f;
  const struct {
    uint8_t bytes[4];
    size_t n_bytes;
  } opcodes[] = {
      {{5, number}, 2},                       // set_column
      {{6}, 1},                               // negate_stmt
      {{3, choice & 32 ? number : minus}, 2}, // advance_line
      {{2, number}, 2},                       // advance_pc
      {{8}, 1},                               // const_add_pc
      {{0, 2, 4, number}, 4},                 // set_discriminator
      {{1}, 1},                               // copy: a row
      {{(uint8_t)(13 + choice / 8 % 64)}, 1}, // special: a row
      {{5, 0x80, 1}, 3},                      // set_column, of two bytes
      {{3, 0xff, 0x7f}, 3},                   // advance_line, of two bytes
      {{2, 0x80 | number, 0}, 3},             // advance_pc, of two bytes
  };
  put(program, opcodes[choice % 11].bytes, opcodes[choice % 11].n_bytes);
}

/** Add a sequence of random rows: forwards, or back and forth; most of them in
 * the file of the one before, some without a line. */
static void put_random_sequence(struct program *program, unsigned *random,
                                bool is_ordered) {
  set_address(program, 0x1000 + *random % 512);
  for (unsigned i = 0; i < 12; i++) {
    *random = *random * 1103515245 + 12345;
    const unsigned choice = *random >> 16;
    if (choice % 5 == 0)
      put(program, (uint8_t[]){4, (uint8_t)(1 + choice / 5 % 2)}, 2);
    if (choice % 7 == 0 && !is_ordered)
      set_address(program, 0x1000 + choice / 7 % 512);
    row(program, choice / 64 % 8, (int)(choice / 512 % 3) - 1);
    *random = *random * 1103515245 + 12345;
    for (unsigned k = 0; k < *random >> 28; k++)
      put_quiet_opcode(program, *random >> (8 + k));
  }
  end_sequence(program, 1 + *random / 1024 % 64);
}

static void files_alone_are_those_of_all_rows(void **state) {
  enum { RUNS = 300 };
  size_t n_rows = 0, n_kept = 0;
  unsigned random = 7;

  (void)state;
  for (unsigned i = 0; i < RUNS; i++) {
    struct program program;
    begin_v4(&program);
    for (unsigned k = 0; k < 3; k++)
      put_random_sequence(&program, &random, i % 2);
    struct line_table whole = load_as(&program, 0, 0);
    struct line_table files = load_as(&program, 0, LINE_TABLE_FILES_ONLY);
    for (uint64_t vaddr = 0xff0; vaddr < 0x2000; vaddr++) {
      const struct line_row *row = line_table_find(&whole, vaddr);
      const struct line_row *found = line_table_find(&files, vaddr);
      assert_int_equal(row != NULL, found != NULL);
      if (row) {
        assert_int_equal(row->i_file, found->i_file);
        assert_int_equal(row->line != 0, found->line != 0);
      }
    }
    n_rows += whole.n_rows;
    n_kept += files.n_rows;
    line_table_release(&whole);
    line_table_release(&files);
  }
  assert_true(n_kept < n_rows);
}

/** Cut anywhere, a program yields the rows before, and never more. */
static void every_truncation_is_survived(void **state) {
  struct program program;

  (void)state;
  begin_v5(&program);
  set_address(&program, 0x1000);
  row(&program, 0, 1);
  end_sequence(&program, 8);
  set_address(&program, 0x2000);
  row(&program, 0, 2);
  end_sequence(&program, 8);
  for (size_t n_bytes = 0; n_bytes < program.n_bytes; n_bytes++) {
    // A copy of exactly that size, so that sanitizers detect each byte too
    // many.
    struct program cut = program;
    cut.n_bytes = n_bytes;
    if (n_bytes >= 4)
      patch_u32(&cut, 0, n_bytes - 4);
    uint8_t *bytes = malloc(n_bytes + 1);
    memcpy(bytes, cut.bytes, n_bytes);
    const struct line_sections sections = {.line = {bytes, n_bytes}};
    struct line_table table;
    struct err err = {0};
    assert_int_equal(line_table_load(&sections, 0, 0, 0, &table, &err), 0);
    assert_true(table.n_seqs <= 1);
    assert_line(&table, 0x2000, 0);
    line_table_release(&table);
    free(bytes);
  }
}

static void impossible_headers_yield_nothing(void **state) {
  static const struct {
    size_t off;
    uint8_t value;
  } changes[] = {
      {4, 1},    // version 1
      {4, 9},    // version 9
      {9, 0x7f}, // header longer than the unit
      {14, 0},   // line_range
      {11, 0},   // operations per instruction
      {15, 0},   // opcode_base
  };

  (void)state;
  for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
    struct program program;
    begin_v4(&program);
    set_address(&program, 0x1000);
    row(&program, 0, 1);
    end_sequence(&program, 8);
    program.bytes[changes[i].off] = changes[i].value;
    struct line_table table = load(&program, 0, false);
    assert_line(&table, 0x1000, 0);
    line_table_release(&table);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(row_covers_up_to_the_next),
      cmocka_unit_test(last_row_of_an_address_counts),
      cmocka_unit_test(rows_out_of_order_are_sorted),
      cmocka_unit_test(nested_sequence_goes_and_overlapping_one_is_cut),
      cmocka_unit_test(dropped_code_is_left_out),
      cmocka_unit_test(names_are_joined),
      cmocka_unit_test(sequence_starts_in_file_1_or_by_gprofs_mistake),
      cmocka_unit_test(files_alone_are_those_of_all_rows),
      cmocka_unit_test(every_truncation_is_survived),
      cmocka_unit_test(impossible_headers_yield_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
