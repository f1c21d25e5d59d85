/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Reads the header of a line-number program (DWARF 2 to 5, section 6.2.4): the
 * state that line_table.c decodes the opcodes with.
 *
 * Reads untrusted bytes; work and memory are linear in them.
 */
#ifndef ARCLINE_LINE_HEADER_H
#define ARCLINE_LINE_HEADER_H

#include "base/byte_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct line_sections;
struct line_table;

/** State of decoding a program. */
struct line_decoder {
  const struct line_sections *sections;
  struct line_table *table;
  struct byte_reader cur;
  unsigned offset_bytes; /* 4, or 8 in 64-bit DWARF */
  uint64_t seq_low;
  bool is_file_0, is_files_only;
  unsigned min_inst_bytes, max_ops, line_range, opcode_base;
  int line_base;
  uint8_t operands[256]; /* of each standard opcode */
  struct {
    uint8_t n_ops;
    int16_t n_lines;
    uint16_t n_bytes; /* n_ops instructions */
  } special[256];     /* advances of special opcodes */
  size_t rows_capacity, seqs_capacity, files_capacity;
  size_t i_seq_row;    /* first row of the sequence being read */
  uint64_t last_vaddr; /* of its last row, be it kept or not */
  bool is_unordered;   /* a row of it is below its predecessor */
  bool was_unordered;  /* so was any sequence */
};

/** Read the header; dec->cur is then at the first opcode, and
 * dec->cur.has_failed is set if it is damaged. sections, table and cur are set
 * by the caller.
 *
 * Returns 0; or -1 with *err set (no memory). */
int line_header_read(struct line_decoder *dec, struct err *err);

/** Append a file to the table, as the header or an opcode defines it. The name
 * is not copied; NULL: damaged. Returns 0; or -1 with *err set (no memory). */
int line_header_add_file(struct line_decoder *dec, const char *name,
                         uint64_t i_dir, struct err *err);

#endif
