/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * A map from symbols to the object files that define them, as `nm -o` writes
 * it: lines of FILE:anything NAME. It makes a table of object files of a table
 * of symbols: the first symbol that the map names of each file stands for the
 * file and takes its name.
 */
#ifndef ARCLINE_FILE_MAP_H
#define ARCLINE_FILE_MAP_H

#include "base/text_file.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct symtab;

/** A line of the map. Strings live as long as the map. */
struct file_map_entry {
  const char *name; /* of a symbol */
  const char *file;
  bool is_first; /* the line before it was of another file, or none */
};

/** All zero is empty. */
struct file_map {
  struct file_map_entry *entries; /* by name; equal ones as in the file */
  size_t n_entries;
  const char **files; /* by name, each once */
  size_t n_files;
  struct text_file text; /* private */
  size_t max_entries;
};

/**
 * Read a map. Lines of blanks are skipped, and what nm says of files without
 * symbols.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Errors: those of text_file_load(); no text at all; a line without a colon, or
 *         without a blank behind it.
 */
int file_map_load(const char *path, struct file_map *out, struct err *err);

/** Let the symbols that stand for files take their names, and drop others that
 * the map names. Of a symbol that it names several times, the line counts that
 * GNU gprof finds. */
void file_map_apply(const struct file_map *map, struct symtab *table);

/** Free; an empty one may be released too. */
void file_map_release(struct file_map *map);

#endif
