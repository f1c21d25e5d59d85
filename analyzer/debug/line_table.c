/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/line_table.h"

#include "base/array.h"
#include "base/byte_reader.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"
#include "debug/line_header.h"

#include <stdlib.h>

/** DWARF 5, 7.22: opcodes of line-number programs. */
enum {
  LNS_COPY = 1,
  LNS_ADVANCE_PC,
  LNS_ADVANCE_LINE,
  LNS_SET_FILE,
  LNS_SET_COLUMN,
  LNS_NEGATE_STMT,
  LNS_SET_BASIC_BLOCK,
  LNS_CONST_ADD_PC,
  LNS_FIXED_ADVANCE_PC,
  LNE_END_SEQUENCE = 1,
  LNE_SET_ADDRESS,
  LNE_DEFINE_FILE,
  LNE_SET_DISCRIMINATOR,
};
/** Registers of the line-number machine (DWARF 5, 6.2.2). */
struct registers {
  uint64_t vaddr, line;
  uint32_t i_file; // UINT32_MAX: too large for any table
  unsigned op_index;
};

static int append_row(struct line_decoder *dec, const struct line_row *row,
                      struct err *err) {
  struct line_table *const table = dec->table;
  struct line_row *const rows = array_grow(
      table->rows, table->n_rows, &dec->rows_capacity, sizeof(*table->rows));
  if (!rows)
    return err_no_memory(err);
  table->rows = rows;
  rows[table->n_rows++] = *row;
  return 0;
}

static inline int add_row(struct line_decoder *dec,
                          const struct registers *regs, struct err *err) {
  struct line_table *const table = dec->table;
  const struct line_row row = {
      .vaddr = regs->vaddr,
      .i_file = regs->i_file,
      .line =
          dec->is_files_only ? (uint32_t)regs->line != 0 : (uint32_t)regs->line,
  };
  const uint64_t last_vaddr = dec->last_vaddr;
  dec->last_vaddr = row.vaddr;
  if (table->n_rows > dec->i_seq_row) {
    struct line_row *const last = &table->rows[table->n_rows - 1];
    dec->is_unordered |= row.vaddr < last_vaddr;
    // Of rows with the same address the last one counts.
    if (last->vaddr == row.vaddr) {
      *last = row;
      return 0;
    }
    if (dec->is_files_only && row.i_file == last->i_file &&
        row.line == last->line)
      return 0;
  }
  return append_row(dec, &row, err);
}

static int compare_rows(const void *left, const void *right,
                        const void *context) {
  (void)context;
  const struct line_row *const a = left, *const b = right;
  return (a->vaddr > b->vaddr) - (a->vaddr < b->vaddr);
}

/** Put the rows of a sequence in order; keep the last of each address. */
static int sort_rows(struct line_row *rows, size_t *n_rows, struct err *err) {
  if (merge_sort(rows, *n_rows, sizeof(*rows), compare_rows, NULL))
    return err_no_memory(err);
  size_t n_kept = 0;
  for (size_t i = 0; i < *n_rows; i++)
    if (i + 1 == *n_rows || rows[i].vaddr != rows[i + 1].vaddr)
      rows[n_kept++] = rows[i];
  *n_rows = n_kept;
  return 0;
}

/** A row that ends a sequence was read: keep the sequence or drop it. */
static int end_sequence(struct line_decoder *dec, uint64_t high,
                        struct err *err) {
  struct line_table *const table = dec->table;
  struct line_row *const rows =
      table->rows ? table->rows + dec->i_seq_row : NULL;
  size_t n_rows = table->n_rows - dec->i_seq_row;
  const bool is_unordered = dec->is_unordered;
  dec->is_unordered = false;
  dec->was_unordered |= is_unordered;
  table->n_rows = dec->i_seq_row;
  if (n_rows == 0)
    return 0;
  if (is_unordered && sort_rows(rows, &n_rows, err))
    return -1;
  const uint64_t low = rows[0].vaddr;
  if (high <= low || low < dec->seq_low)
    return 0;
  struct line_seq *const seqs = array_grow(
      table->seqs, table->n_seqs, &dec->seqs_capacity, sizeof(*table->seqs));
  if (!seqs)
    return err_no_memory(err);
  table->seqs = seqs;
  seqs[table->n_seqs++] = (struct line_seq){.low = low,
                                            .high = high,
                                            .i_first_row = dec->i_seq_row,
                                            .n_rows = n_rows};
  dec->i_seq_row += n_rows;
  table->n_rows = dec->i_seq_row;
  return 0;
}

static struct registers initial_registers(const struct line_decoder *dec) {
  const bool is_file_0 = dec->is_file_0 && dec->table->version >= 5;
  return (struct registers){.i_file = is_file_0 ? 0 : 1, .line = 1};
}

static uint32_t to_file(uint64_t number) {
  return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static inline void advance_pc(const struct line_decoder *dec,
                              struct registers *regs, uint64_t n_ops) {
  if (dec->max_ops == 1) {
    regs->vaddr += dec->min_inst_bytes * n_ops;
    return;
  }
  const uint64_t total = regs->op_index + n_ops;
  regs->vaddr += dec->min_inst_bytes * (total / dec->max_ops);
  regs->op_index = (unsigned)(total % dec->max_ops);
}

static int run_extended(struct line_decoder *dec, struct registers *regs,
                        struct err *err) {
  struct byte_reader *const cur = &dec->cur;
  const uint64_t n_bytes = byte_reader_leb(cur, false);
  if (n_bytes == 0 || !byte_reader_skip(cur, n_bytes))
    return 0;
  struct byte_reader body = *cur;
  body.at = cur->at - n_bytes;
  body.end = cur->at;
  switch (byte_reader_byte(&body)) {
  case LNE_END_SEQUENCE: {
    const uint64_t high = regs->vaddr;
    *regs = initial_registers(dec);
    return end_sequence(dec, high, err);
  }
  case LNE_SET_ADDRESS:
    if (n_bytes > 9)
      cur->has_failed = true;
    else
      regs->vaddr = byte_reader_uint(&body, (unsigned)n_bytes - 1);
    regs->op_index = 0;
    return 0;
  case LNE_DEFINE_FILE: {
    const char *const name = byte_reader_string(&body);
    const uint64_t i_dir = byte_reader_leb(&body, false);
    return body.has_failed ? 0 : line_header_add_file(dec, name, i_dir, err);
  }
  default:
    return 0;
  }
}

/** The same, of a caller whose cursor and registers are its own. */
static inline int run_extended_of(struct line_decoder *dec,
                                  struct byte_reader *cur,
                                  struct registers *regs, struct err *err) {
  struct registers changed = *regs;
  dec->cur = *cur;
  const int rc = run_extended(dec, &changed, err);
  *cur = dec->cur;
  *regs = changed;
  return rc;
}

static inline int run_special(struct line_decoder *dec, struct registers *regs,
                              unsigned special, struct err *err) {
  advance_pc(dec, regs, dec->special[special].n_ops);
  regs->line += (uint64_t)(int64_t)dec->special[special].n_lines;
  return add_row(dec, regs, err);
}

/** True if opcodes of a program that only changes lines can be skipped: rows
 * like the last one that was kept add nothing to a table of files. */
static inline bool can_skip(const struct line_decoder *dec,
                            const struct registers *regs) {
  const struct line_table *const table = dec->table;
  if (!dec->is_files_only || dec->max_ops != 1 ||
      table->n_rows == dec->i_seq_row)
    return false;
  const struct line_row *const last = &table->rows[table->n_rows - 1];
  // Addresses of a program of less than 2^47 bytes then do not wrap.
  return regs->i_file == last->i_file && regs->vaddr >= dec->last_vaddr &&
         regs->vaddr < UINT64_MAX / 2;
}

/** Run the opcodes up to the first one that may add a row to a table of files,
 * or that is long or rare. Most of a program is such opcodes; rows of theirs
 * only move dec->last_vaddr. */
static const uint8_t *skip_rows(struct line_decoder *dec, const uint8_t *at,
                                const uint8_t *end, struct registers *regs) {
  const unsigned opcode_base = dec->opcode_base;
  const bool has_line = dec->table->rows[dec->table->n_rows - 1].line != 0;
  uint64_t vaddr = regs->vaddr, last_vaddr = dec->last_vaddr;
  uint32_t line = (uint32_t)regs->line;
  while (end - at >= 4) {
    const unsigned opcode = *at;
    if (opcode >= opcode_base) {
      const unsigned special = opcode - opcode_base;
      const uint32_t next =
          (uint32_t)((int64_t)line + dec->special[special].n_lines);
      if ((next != 0) != has_line)
        break;
      line = next;
      vaddr += dec->special[special].n_bytes;
      last_vaddr = vaddr;
      at++;
    } else if (opcode == LNS_SET_COLUMN && at[1] < 0x80) {
      at += 2;
    } else if (opcode == LNS_NEGATE_STMT) {
      at++;
    } else if (opcode == LNS_ADVANCE_LINE && at[1] < 0x80) {
      line += (uint32_t)((at[1] ^ 0x40) - 0x40); // sign of 7 bits
      at += 2;
    } else if (opcode == LNS_COPY && (line != 0) == has_line) {
      last_vaddr = vaddr;
      at++;
    } else if (opcode == 0 && at[1] == 2 && at[2] == LNE_SET_DISCRIMINATOR) {
      at += 4;
    } else if (opcode == LNS_ADVANCE_PC && at[1] < 0x80) {
      vaddr += at[1] * (uint64_t)dec->min_inst_bytes;
      at += 2;
    } else if (opcode == LNS_CONST_ADD_PC) {
      vaddr += dec->special[255 - opcode_base].n_bytes;
      at++;
    } else {
      break;
    }
  }
  regs->vaddr = vaddr;
  regs->line = line;
  dec->last_vaddr = last_vaddr;
  return at;
}

static int run_program(struct line_decoder *dec, struct err *err) {
  // Their addresses do not escape, so that they stay in registers.
  struct byte_reader cur = dec->cur;
  struct registers regs = initial_registers(dec);
  const unsigned opcode_base = dec->opcode_base;
  while (!cur.has_failed && cur.at < cur.end) {
    if (can_skip(dec, &regs)) {
      struct registers moved = regs;
      cur.at = skip_rows(dec, cur.at, cur.end, &moved);
      regs = moved;
      if (cur.at == cur.end)
        break;
    }
    const unsigned opcode = *cur.at++;
    if (opcode >= opcode_base) {
      if (run_special(dec, &regs, opcode - opcode_base, err))
        return -1;
      continue;
    }
    switch (opcode) {
    case 0:
      if (run_extended_of(dec, &cur, &regs, err))
        return -1;
      break;
    case LNS_COPY:
      if (add_row(dec, &regs, err))
        return -1;
      break;
    case LNS_ADVANCE_PC:
      advance_pc(dec, &regs, byte_reader_leb(&cur, false));
      break;
    case LNS_ADVANCE_LINE:
      regs.line += byte_reader_leb(&cur, true);
      break;
    case LNS_SET_FILE:
      regs.i_file = to_file(byte_reader_leb(&cur, false));
      break;
    case LNS_SET_COLUMN:
      byte_reader_leb(&cur, false);
      break;
    case LNS_NEGATE_STMT:
    case LNS_SET_BASIC_BLOCK:
      break;
    case LNS_CONST_ADD_PC:
      advance_pc(dec, &regs, dec->special[255 - opcode_base].n_ops);
      break;
    case LNS_FIXED_ADVANCE_PC:
      dec->cur = cur;
      regs.vaddr += byte_reader_uint(&dec->cur, 2);
      cur = dec->cur;
      regs.op_index = 0;
      break;
    default:
      for (unsigned i = 0; i < dec->operands[opcode]; i++)
        byte_reader_leb(&cur, false);
    }
  }
  dec->cur = cur;
  return 0;
}

static int compare_seqs(const void *a, const void *b) {
  const struct line_seq *const x = a, *const y = b;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  if (x->high != y->high)
    return x->high > y->high ? -1 : 1; // the longer one first
  return (x->i_first_row > y->i_first_row) - (x->i_first_row < y->i_first_row);
}

/** Sort sequences; drop those inside of another one, trim those that overlap.
 */
static void untangle_seqs(struct line_table *table) {
  if (table->n_seqs == 0)
    return;
  qsort(table->seqs, table->n_seqs, sizeof(*table->seqs), compare_seqs);
  size_t n_kept = 0;
  uint64_t covered = 0;
  for (size_t i = 0; i < table->n_seqs; i++) {
    struct line_seq seq = table->seqs[i];
    if (n_kept && seq.low < covered) {
      if (seq.high <= covered)
        continue;
      seq.low = covered;
    }
    covered = seq.high;
    table->seqs[n_kept++] = seq;
  }
  table->n_seqs = n_kept;
}

int line_table_load(const struct line_sections *sections, uint64_t off,
                    uint64_t seq_low, unsigned flags, struct line_table *out,
                    struct err *err) {
  *out = (struct line_table){0};
  if (off >= sections->line.n_bytes)
    return 0;
  struct line_decoder dec = {
      .sections = sections,
      .table = out,
      .cur = {.at = sections->line.bytes + off,
              .end = sections->line.bytes + sections->line.n_bytes,
              .is_big_endian = sections->is_big_endian},
      .seq_low = seq_low,
      .is_file_0 = flags & LINE_TABLE_FILE_0,
      .is_files_only = flags & LINE_TABLE_FILES_ONLY,
  };
  if (line_header_read(&dec, err) ||
      (!dec.cur.has_failed && run_program(&dec, err))) {
    line_table_release(out);
    return -1;
  }
  // Rows that were left out may have been needed to sort others.
  if (dec.is_files_only && dec.was_unordered) {
    line_table_release(out);
    return line_table_load(sections, off, seq_low,
                           flags & ~(unsigned)LINE_TABLE_FILES_ONLY, out, err);
  }
  out->n_bytes = (size_t)(dec.cur.at - (sections->line.bytes + off));
  out->n_rows = dec.i_seq_row; // rows without an end cover nothing
  out->rows = array_trim(out->rows, out->n_rows, sizeof(*out->rows));
  untangle_seqs(out);
  return 0;
}

const struct line_row *line_table_find(struct line_table *table,
                                       uint64_t vaddr) {
  const size_t n_seqs =
      sorted_count_up_to(table->seqs, table->n_seqs, sizeof(*table->seqs),
                         vaddr, &table->seq_hint);
  if (n_seqs == 0 || vaddr >= table->seqs[n_seqs - 1].high)
    return NULL;
  const struct line_seq *const seq = &table->seqs[n_seqs - 1];
  const struct line_row *const rows = table->rows + seq->i_first_row;
  const size_t n_rows = sorted_count_up_to(rows, seq->n_rows, sizeof(*rows),
                                           vaddr, &table->row_hint);
  return n_rows ? &rows[n_rows - 1] : NULL;
}

void line_table_release(struct line_table *table) {
  free(table->dirs);
  free(table->files);
  free(table->rows);
  free(table->seqs);
  *table = (struct line_table){0};
}
