/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debug/line_header.h"

#include "base/array.h"
#include "base/err.h"
#include "debug/line_table.h"

#include <string.h>

/** DWARF 5, 6.2.4.1: fields of entries. */
enum {
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
static const char *string_at(struct line_bytes section, uint64_t off) {
  if (off >= section.n_bytes)
    return NULL;
  const uint8_t *const text = section.bytes + off;
  return memchr(text, 0, section.n_bytes - (size_t)off) ? (const char *)text
                                                        : NULL;
}

int line_header_add_file(struct line_decoder *dec, const char *name,
                         uint64_t i_dir, struct err *err) {
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
static int read_old_lists(struct line_decoder *dec, struct err *err) {
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
    if (line_header_add_file(dec, name, i_dir, err))
      return -1;
  }
  return 0;
}

/** One field of an entry; its form selects *text or *number. */
static void read_form(struct line_decoder *dec, uint64_t form,
                      const char **text, uint64_t *number) {
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
static int read_new_list(struct line_decoder *dec, bool is_files,
                         struct err *err) {
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
    if (is_files ? line_header_add_file(dec, name, i_dir, err)
                 : add_dir(dec->table, &dirs_capacity, name, err))
      return -1;
  }
  return 0;
}

int line_header_read(struct line_decoder *dec, struct err *err) {
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
    dec->special[i].n_bytes =
        (uint16_t)(dec->special[i].n_ops * dec->min_inst_bytes);
  }
  if (version < 5
          ? read_old_lists(dec, err)
          : read_new_list(dec, false, err) || read_new_list(dec, true, err))
    return -1;
  cur->at = program;
  return 0;
}
