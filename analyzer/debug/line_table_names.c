/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads the names of a line table's files. */
#include "debug/line_table.h"

#include "debug/source.h"

#include <string.h>

enum { MAX_NAME_BYTES = 4096 };

/** Longer names are invalid: no system opens them, and many files may share one
 * directory. */
static bool is_sane(const char *name) {
  return !name || strnlen(name, MAX_NAME_BYTES + 1) <= MAX_NAME_BYTES;
}

/** Find the parts of a file's name. Returns false if there is none. */
static bool find_parts(const struct line_table *table, uint32_t i_file,
                       const char **dir, const char **name) {
  // DWARF 5 counts files from 0 and has the compilation directory as directory
  // 0; before, files and directories count from 1 and directory 0 is implied.
  const bool is_new = table->version >= 5;
  const uint64_t index = (uint64_t)i_file - !is_new;
  if (index >= table->n_files || !table->files[index].name)
    return false;
  // The number 0, which means none, wraps around.
  const uint64_t i_dir = table->files[index].i_dir - !is_new;
  *dir = i_dir < table->n_dirs ? table->dirs[i_dir] : NULL;
  *name = table->files[index].name;
  return is_sane(*name) && is_sane(*dir);
}

char *line_table_file_name(const struct line_table *table, uint32_t i_file,
                           const char *comp_dir) {
  const char *dir, *name;
  return find_parts(table, i_file, &dir, &name) && is_sane(comp_dir)
             ? source_join(comp_dir, dir, name)
             : strdup("<unknown>");
}

char *line_table_relative_name(const struct line_table *table,
                               uint32_t i_file) {
  const char *dir, *name;
  if (!find_parts(table, i_file, &dir, &name))
    return strdup("<unknown>");
  const bool is_implied = dir && table->version >= 5 && dir == table->dirs[0];
  return source_join(NULL, is_implied ? NULL : dir, name);
}
