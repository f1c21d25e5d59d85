/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Names the files of debug information as reports show them. Debug information
 * does not record what its names are relative to: a map of the compiler
 * (-ffile-prefix-map) or `#line` may have made a name relative to another
 * folder than that of the compilation. The pass has determined that, so its
 * names are used, and matching names of debug information become the same.
 */
#ifndef ARCLINE_FILE_NAMING_H
#define ARCLINE_FILE_NAMING_H

#include "base/map64.h"

#include <stdint.h>

struct err;
struct file_table;
struct line_table;
struct source_paths;

/** All zero: nothing is known. */
struct file_naming {
  const struct file_table *known;   /* names of the pass; borrowed; or NULL */
  const struct source_paths *paths; /* the user's maps; borrowed; or NULL */
  struct map64 ends; /* private: hash of a last part -> a name that has it; the
                        complement of the hash: there are several */
};

/** Names of a unit that those of its files may be relative to. */
struct line_unit {
  const char *comp_dir; /* or NULL */
  const char *name;     /* of its source; or NULL */
};

/** Index the known names: after `known` is set, which must not change any more.
 * Returns 0, or -1 with *err set (no memory). */
int file_naming_index(struct file_naming *naming, struct err *err);

/** Free the private members. */
void file_naming_release(struct file_naming *naming);

/**
 * Make the name of a file.
 *
 * naming  NULL: as recorded; line_table_file_name().
 * i_file  a row's file register.
 *
 * Returns a string to free(), or NULL (no memory).
 */
char *file_naming_make(const struct file_naming *naming,
                       const struct line_table *table, uint32_t i_file,
                       const struct line_unit *unit);

#endif
