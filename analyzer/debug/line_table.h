/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Decodes one line-number program (DWARF 2 to 5, section 6.2) into a table of
 * rows. Rows and file names only; units and look-ups are up to lines.h. libdw's
 * decoder is not used because the answers depend on details that it hides:
 * which rows form a sequence, and how a file's name is composed.
 *
 * Reads untrusted bytes; work and memory are linear in them.
 */
#ifndef ARCLINE_LINE_TABLE_H
#define ARCLINE_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/** Bytes of a section. NULL and 0 if there is none. */
struct line_bytes {
  const uint8_t *bytes;
  size_t n_bytes;
};

/** Sections that a program is decoded from. */
struct line_sections {
  struct line_bytes line;     /* .debug_line */
  struct line_bytes str;      /* .debug_str */
  struct line_bytes line_str; /* .debug_line_str */
  bool is_big_endian;
};

/** One row: covers [vaddr, next row's vaddr). */
struct line_row {
  uint64_t vaddr;
  uint32_t i_file; /* the file register */
  uint32_t line;   /* 0: no source line */
};

/** A run of rows in ascending order. */
struct line_seq {
  uint64_t low, high; /* its range, after overlaps were trimmed */
  size_t i_first_row;
  size_t n_rows; /* no two of the same address */
};

/** A file entry; strings point into the sections. */
struct line_file {
  const char *name; /* NULL: damaged */
  uint64_t i_dir;
};

/** A decoded program. All zero is empty. */
struct line_table {
  unsigned version;
  const char **dirs; /* as in the program: number 0 is not in it before v5 */
  size_t n_dirs;
  struct line_file *files;
  size_t n_files;
  struct line_row *rows;
  size_t n_rows;
  struct line_seq *seqs; /* ascending, not overlapping */
  size_t n_seqs;
  size_t n_bytes;            /* of the program that were decoded */
  size_t seq_hint, row_hint; /* private: where the last row was found */
};

enum line_table_flags {
  /* As GNU gprof 2.40 does, see LINES_FILE_0: in DWARF 5 a sequence starts in
     file 0. It is 1 by the standard (6.2.2), by which gcc leaves it out. */
  LINE_TABLE_FILE_0 = 1 << 0,
  /* Keep only rows that change the file, or that begin or end code without a
     line; line numbers are not kept. That takes hardly any memory. */
  LINE_TABLE_FILES_ONLY = 1 << 1,
};

/**
 * Decode the program at an offset of .debug_line.
 *
 * seq_low  sequences that begin below it are left out; 0 keeps all. (A linker
 *          sets the addresses of functions that it dropped to 0.)
 * flags    enum line_table_flags.
 * out      strings live as long as the sections.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty. A damaged program
 * yields the rows before the damage.
 */
int line_table_load(const struct line_sections *sections, uint64_t off,
                    uint64_t seq_low, unsigned flags, struct line_table *out,
                    struct err *err);

/** Find the row that covers vaddr, or NULL. Quick for one address after the
 * other: sorted.h. */
const struct line_row *line_table_find(struct line_table *table,
                                       uint64_t vaddr);

/**
 * Name of a file: joined with its directory and the compilation directory
 * until absolute.
 *
 * i_file    a row's file register.
 * comp_dir  may be NULL.
 *
 * Returns a string to free(), or NULL (no memory).
 */
char *line_table_file_name(const struct line_table *table, uint32_t i_file,
                           const char *comp_dir);

/** The same without the compilation directory, to which a name that is not
 * absolute is relative unless the compiler has replaced its beginning. */
char *line_table_relative_name(const struct line_table *table, uint32_t i_file);

/** Free; an empty table may be released too. */
void line_table_release(struct line_table *table);

#endif
