/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Maps symbols to the object files that define them, from the output of `nm
 * -o`: lines of FILE:anything NAME. It turns a table of symbols into one of
 * object files: the first symbol of each file in the map represents the file
 * and takes its name.
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
 * Read a map. Blank lines are skipped, and nm's messages about files without
 * symbols.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Errors: those of text_file_load(); no text at all; a line without a colon, or
 *         without a blank after it.
 */
int file_map_load(const char *path, struct file_map *out, struct err *err);

/** Rename the symbols that represent files, and drop the others that are in the
 * map. If a symbol is in it several times, the line that GNU gprof finds is
 * used. */
void file_map_apply(const struct file_map *map, struct symtab *table);

/** Free; an empty one may be released too. */
void file_map_release(struct file_map *map);

#endif
