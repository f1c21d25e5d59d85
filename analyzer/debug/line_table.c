/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/line_table.h"

#include "base/array.h"
#include "base/byte_reader.h"
#include "base/err.h"
#include "base/merge_sort.h"
#include "base/sorted.h"

#include <stdlib.h>
#include <string.h>

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
  LNCT_PATH = 1,
  LNCT_DIRECTORY_INDEX = 2,
};

/** DWARF 5, 7.5.6: the forms that a line table's header may use. */
enum {
  FORM_BLOCK2 = 0x03,
  FORM_BLOCK4 = 0x04,
  FORM_DATA2 = 0x05,
  FORM_DATA4 = 0x06,
  FORM_DATA8 = 0x07,
  FORM_STRING = 0x08,
  FORM_BLOCK = 0x09,
  FORM_BLOCK1 = 0x0a,
  FORM_DATA1 = 0x0b,
  FORM_SDATA = 0x0d,
  FORM_STRP = 0x0e,
  FORM_UDATA = 0x0f,
  FORM_DATA16 = 0x1e,
  FORM_LINE_STRP = 0x1f,
};

/** State of decoding a program. */
struct decoder {
  const struct line_sections *sections;
  struct line_table *table;
  struct byte_reader cur;
  unsigned offset_bytes; /* 4, or 8 in 64-bit DWARF */
  uint64_t seq_low;
  bool has_gnu_bugs, is_files_only;
  unsigned min_inst_bytes, max_ops, line_range, opcode_base;
  int line_base;
  uint8_t operands[256]; /* of each standard opcode */
  struct {
    uint8_t n_ops;
    int16_t n_lines;
  } special[256]; /* advances of special opcodes */
  size_t rows_capacity, seqs_capacity, files_capacity;
  size_t i_seq_row;    /* first row of the sequence being read */
  uint64_t last_vaddr; /* of its last row, be it kept or not */
  bool is_unordered;   /* a row of it is below its predecessor */
  bool was_unordered;  /* so was any sequence */
};

static const char *string_at(struct line_bytes section, uint64_t off) {
  if (off >= section.n_bytes)
    return NULL;
  const uint8_t *const text = section.bytes + off;
  return memchr(text, 0, section.n_bytes - (size_t)off) ? (const char *)text
                                                        : NULL;
}

static int add_file(struct decoder *dec, const char *name, uint64_t i_dir,
                    struct err *err) {
  struct line_table *const table = dec->table;
  struct line_file *const files =
      array_grow(table->files, table->n_files, &dec->files_capacity,
                 sizeof(*table->files));
  if (!files)
    return err_no_memory(err);
  table->files = files;
  files[table->n_files++] = (struct line_file){.name = name, .i_dir = i_dir};
  return 0;
}

static int add_dir(struct line_table *table, size_t *capacity, const char *name,
                   struct err *err) {
  const char **const dirs =
      array_grow(table->dirs, table->n_dirs, capacity, sizeof(*table->dirs));
  if (!dirs)
    return err_no_memory(err);
  table->dirs = dirs;
  dirs[table->n_dirs++] = name;
  return 0;
}

/** Lists of DWARF 2 to 4: strings, ended by an empty one. */
static int read_old_lists(struct decoder *dec, struct err *err) {
  struct byte_reader *const cur = &dec->cur;
  size_t dirs_capacity = 0;
  for (;;) {
    const char *const name = byte_reader_string(cur);
    if (!name || !*name)
      break;
    if (add_dir(dec->table, &dirs_capacity, name, err))
      return -1;
  }
  for (;;) {
    const char *const name = byte_reader_string(cur);
    if (!name || !*name)
      break;
    const uint64_t i_dir = byte_reader_leb(cur, false);
    byte_reader_leb(cur, false); // time
    byte_reader_leb(cur, false); // size
    if (add_file(dec, name, i_dir, err))
      return -1;
  }
  return 0;
}

/** One field of an entry; *text and *number are set as its form says. */
static void read_form(struct decoder *dec, uint64_t form, const char **text,
                      uint64_t *number) {
  struct byte_reader *const cur = &dec->cur;
  switch (form) {
  case FORM_STRING:
    *text = byte_reader_string(cur);
    break;
  case FORM_LINE_STRP:
    *text = string_at(dec->sections->line_str,
                      byte_reader_uint(cur, dec->offset_bytes));
    break;
  case FORM_STRP:
    *text =
        string_at(dec->sections->str, byte_reader_uint(cur, dec->offset_bytes));
    break;
  case FORM_DATA1:
    *number = byte_reader_byte(cur);
    break;
  case FORM_DATA2:
    *number = byte_reader_uint(cur, 2);
    break;
  case FORM_DATA4:
    *number = byte_reader_uint(cur, 4);
    break;
  case FORM_DATA8:
    *number = byte_reader_uint(cur, 8);
    break;
  case FORM_DATA16:
    byte_reader_skip(cur, 16);
    break;
  case FORM_UDATA:
    *number = byte_reader_leb(cur, false);
    break;
  case FORM_SDATA:
    *number = byte_reader_leb(cur, true);
    break;
  case FORM_BLOCK:
    byte_reader_skip(cur, byte_reader_leb(cur, false));
    break;
  case FORM_BLOCK1:
    byte_reader_skip(cur, byte_reader_byte(cur));
    break;
  case FORM_BLOCK2:
    byte_reader_skip(cur, byte_reader_uint(cur, 2));
    break;
  case FORM_BLOCK4:
    byte_reader_skip(cur, byte_reader_uint(cur, 4));
    break;
  default:
    cur->has_failed = true; // its length is not known
  }
}

/** A list of DWARF 5: a description of the entries' fields, then the entries.
 */
static int read_new_list(struct decoder *dec, bool is_files, struct err *err) {
  struct byte_reader *const cur = &dec->cur;
  uint64_t types[255], forms[255];
  const unsigned n_fields = byte_reader_byte(cur);
  for (unsigned i = 0; i < n_fields; i++) {
    types[i] = byte_reader_leb(cur, false);
    forms[i] = byte_reader_leb(cur, false);
  }
  const uint64_t n_entries = byte_reader_leb(cur, false);
  size_t dirs_capacity = 0;
  // An entry takes at least a byte, or the loop would not be bounded.
  if (n_entries > byte_reader_left(cur))
    cur->has_failed = true;
  for (uint64_t i = 0; i < n_entries && !cur->has_failed; i++) {
    const char *name = NULL;
    uint64_t i_dir = 0, ignored;
    const char *ignored_text;
    for (unsigned k = 0; k < n_fields; k++)
      read_form(dec, forms[k], types[k] == LNCT_PATH ? &name : &ignored_text,
                types[k] == LNCT_DIRECTORY_INDEX ? &i_dir : &ignored);
    if (cur->has_failed)
      break;
    if (is_files ? add_file(dec, name, i_dir, err)
                 : add_dir(dec->table, &dirs_capacity, name, err))
      return -1;
  }
  return 0;
}

/** Read the header; the cursor is then at the first opcode. */
static int read_header(struct decoder *dec, struct err *err) {
  struct byte_reader *const cur = &dec->cur;
  dec->offset_bytes = 4;
  uint64_t length = byte_reader_uint(cur, 4);
  if (length == 0xffffffff) {
    dec->offset_bytes = 8;
    length = byte_reader_uint(cur, 8);
  }
  if (cur->has_failed || length > byte_reader_left(cur)) {
    cur->has_failed = true;
    return 0;
  }
  cur->end = cur->at + length;
  const unsigned version = (unsigned)byte_reader_uint(cur, 2);
  if (version < 2 || version > 5) {
    cur->has_failed = true;
    return 0;
  }
  dec->table->version = version;
  if (version == 5)
    byte_reader_uint(cur, 2); // sizes of addresses and segment selectors
  const uint64_t header_bytes = byte_reader_uint(cur, dec->offset_bytes);
  if (cur->has_failed || header_bytes > byte_reader_left(cur)) {
    cur->has_failed = true;
    return 0;
  }
  const uint8_t *const program = cur->at + header_bytes;
  dec->min_inst_bytes = byte_reader_byte(cur);
  dec->max_ops = version >= 4 ? byte_reader_byte(cur) : 1;
  byte_reader_byte(cur); // default_is_stmt
  dec->line_base = (int8_t)byte_reader_byte(cur);
  dec->line_range = byte_reader_byte(cur);
  dec->opcode_base = byte_reader_byte(cur);
  for (unsigned i = 1; i < dec->opcode_base; i++)
    dec->operands[i] = (uint8_t)byte_reader_byte(cur);
  if (dec->line_range == 0 || dec->max_ops == 0 || dec->opcode_base == 0)
    cur->has_failed = true;
  if (cur->has_failed)
    return 0;
  for (unsigned i = 0; i < 256; i++) {
    dec->special[i].n_ops = (uint8_t)(i / dec->line_range);
    dec->special[i].n_lines =
        (int16_t)(dec->line_base + (int)(i % dec->line_range));
  }
  if (version < 5
          ? read_old_lists(dec, err)
          : read_new_list(dec, false, err) || read_new_list(dec, true, err))
    return -1;
  cur->at = program;
  return 0;
}

/** Registers of the line-number machine (DWARF 5, 6.2.2). */
struct registers {
  uint64_t vaddr, line;
  uint32_t i_file; // UINT32_MAX: too large for any table
  unsigned op_index;
};

static int append_row(struct decoder *dec, const struct line_row *row,
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

static inline int add_row(struct decoder *dec, const struct registers *regs,
                          struct err *err) {
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
static int end_sequence(struct decoder *dec, uint64_t high, struct err *err) {
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

static struct registers initial_registers(const struct decoder *dec) {
  const bool is_file_0 = dec->has_gnu_bugs && dec->table->version >= 5;
  return (struct registers){.i_file = is_file_0 ? 0 : 1, .line = 1};
}

static uint32_t to_file(uint64_t number) {
  return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

static inline void advance_pc(const struct decoder *dec, struct registers *regs,
                              uint64_t n_ops) {
  if (dec->max_ops == 1) {
    regs->vaddr += dec->min_inst_bytes * n_ops;
    return;
  }
  const uint64_t total = regs->op_index + n_ops;
  regs->vaddr += dec->min_inst_bytes * (total / dec->max_ops);
  regs->op_index = (unsigned)(total % dec->max_ops);
}

static int run_extended(struct decoder *dec, struct registers *regs,
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
    return body.has_failed ? 0 : add_file(dec, name, i_dir, err);
  }
  default:
    return 0;
  }
}

static inline int run_special(struct decoder *dec, struct registers *regs,
                              unsigned special, struct err *err) {
  advance_pc(dec, regs, dec->special[special].n_ops);
  regs->line += (uint64_t)(int64_t)dec->special[special].n_lines;
  return add_row(dec, regs, err);
}

static int run_program(struct decoder *dec, struct err *err) {
  // Nothing else has the address of these two: they stay in registers, for
  // most of the time that line tables take is spent here.
  struct byte_reader cur = dec->cur;
  struct registers regs = initial_registers(dec);
  const unsigned opcode_base = dec->opcode_base;
  while (!cur.has_failed && cur.at < cur.end) {
    const unsigned opcode = *cur.at++;
    if (opcode >= opcode_base) {
      if (run_special(dec, &regs, opcode - opcode_base, err))
        return -1;
      continue;
    }
    switch (opcode) {
    case 0: {
      struct registers changed = regs;
      dec->cur = cur;
      if (run_extended(dec, &changed, err))
        return -1;
      cur = dec->cur;
      regs = changed;
      break;
    }
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
  struct decoder dec = {
      .sections = sections,
      .table = out,
      .cur = {.at = sections->line.bytes + off,
              .end = sections->line.bytes + sections->line.n_bytes,
              .is_big_endian = sections->is_big_endian},
      .seq_low = seq_low,
      .has_gnu_bugs = flags & LINE_TABLE_GNU_BUGS,
      .is_files_only = flags & LINE_TABLE_FILES_ONLY,
  };
  if (read_header(&dec, err) ||
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
