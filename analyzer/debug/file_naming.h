/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * How reports name the files of debug information. It does not record
 * what its names are relative to: a map of the compiler (-ffile-prefix-map) or
 * `#line` may have made a name relative to another folder than that of the
 * compilation. The pass has found that out, so its names are taken, and those
 * of debug information that stand for them become the same.
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

/** What a unit's names may be relative to. */
struct line_unit {
  const char *comp_dir; /* or NULL */
  const char *name;     /* of its source; or NULL */
};

/** Prepare for names that are known: after `known` is set, and for good.
 * Returns 0, or -1 with *err set (no memory). */
int file_naming_index(struct file_naming *naming, struct err *err);

/** Free what is private. */
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
