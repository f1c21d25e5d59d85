/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Maps source file names to small numbers. Names of the same file (relative or
 * not, with "." and ".." parts) get the same number; on request also those that
 * lead to it through links of folders, otherwise no file is accessed.
 */
#ifndef ARCLINE_FILE_TABLE_H
#define ARCLINE_FILE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct source_root;

/** Longer names are rejected: no system opens them. */
enum { FILE_TABLE_NAME_BYTES = 4096 };

/** A set of file names. All zero is empty. */
struct file_table {
  char **names; /* cleaned: absolute if the compilation directory allows */
  uint32_t n_names;
  uint32_t max_names;
  /* Have absolute names that lead to one file, through links of folders, be one
     file, by its first name. A link of a file itself names another one: builds
     compile one text in several ways so. */
  bool follows_links;
  /* A file that is outside of this folder by its first name, but below it by
     the name without links, has the latter; or NULL. Borrowed. */
  const struct source_root *root;
  uint32_t *slots; /* private from here: hash table of index + 1; 0 is free */
  uint32_t n_slots;
  struct file_table *others; /* further names, or NULL */
  struct file_alias *aliases;
};

/** A further name of a file. */
struct file_alias {
  uint32_t i_file;
  bool is_used; /* a name that was added; otherwise where the first one leads */
};

/**
 * Find or add a name.
 *
 * comp_dir  what a relative name is relative to; may be NULL or "".
 * out       the number; stays valid while names are added.
 *
 * Returns 0; or -1 with *err set (no memory, name too long).
 */
int file_table_add(struct file_table *table, const char *comp_dir,
                   const char *name, uint32_t *out, struct err *err);

/** Is a name in the table? It is cleaned: source_clean(). */
bool file_table_has(const struct file_table *table, const char *name);

/** Find the number of a name, as file_table_add() makes it, without adding the
 * name. Returns false, also if there is no memory, if the table does not have
 * it. */
bool file_table_find(const struct file_table *table, const char *name,
                     uint32_t *out);

/** The next further name of a file that was added, from number *i on, which is
 * set to the one after it; NULL: there is none. i_file: set to the file. */
const char *file_table_next_alias(const struct file_table *table, uint32_t *i,
                                  uint32_t *i_file);

/** Free all names. */
void file_table_release(struct file_table *table);

#endif
