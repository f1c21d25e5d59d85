/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Stores the file names of line tables, each once: as recorded, so that two
 * names of one file are two names. Part of lines.h, its only user; file_table.h
 * matches names of the same file.
 */
#ifndef ARCLINE_LINE_FILES_H
#define ARCLINE_LINE_FILES_H

#include "debug/line_table.h"

#include <stddef.h>
#include <stdint.h>

/** All zero is empty. */
struct line_files {
  char **names;
  size_t n_names;
  size_t capacity;
  uint32_t *slots; /* hash table: index + 1, or 0 */
  size_t n_slots;  /* a power of two, or 0 */
};

/**
 * Find or add a name.
 *
 * name  taken over, to be freed; NULL: it could not be made.
 *
 * Returns its index, or UINT32_MAX (no memory).
 */
uint32_t line_files_add(struct line_files *files, char *name);

/** Make a map from the file registers of a table to indices of names, all of
 * them UINT32_MAX: not named yet. Returns NULL if there is no memory; otherwise
 * the caller frees it. */
uint32_t *line_files_make_map(const struct line_table *table);

/** Place of a file register in the map; all wrong ones share one. */
static inline size_t line_files_place(const struct line_table *table,
                                      uint32_t i_file) {
  const size_t last = table->n_files + 1;
  return i_file < last ? i_file : last;
}

/** Free all names. */
void line_files_release(struct line_files *files);

#endif
