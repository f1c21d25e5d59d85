/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Arranges source files as a tree of folders with the totals of their files. A
 * folder whose only content is a folder is one row with it. Headers of the
 * system are in a folder of their own, unless there is nothing else. Pure: no
 * I/O.
 */
#ifndef ARCLINE_FILE_TREE_H
#define ARCLINE_FILE_TREE_H

#include <stddef.h>
#include <stdint.h>

struct annotate_file;
struct changed_files;
struct err;

/** Totals of files. */
struct file_sums {
  double n_samples;
  size_t n_lines, n_executed;
  size_t n_funcs, n_called;
  size_t n_ways, n_taken;
  size_t n_changed, n_changed_executed; /* lines that are new */
};

/** Add a file. */
void file_sums_add(struct file_sums *sums, const struct annotate_file *file,
                   const struct changed_files *changed);

/** A folder, before its content, or a file. */
struct file_tree_row {
  const struct annotate_file *file; /* NULL: a folder */
  const char *name; /* within the folder around it; of a folder, with "/" */
  size_t n_bytes;   /* of it */
  unsigned depth;   /* folders around it */
  struct file_sums sums;
  size_t parent;     /* private, as are the next ones: index or SIZE_MAX */
  size_t path_bytes; /* of the file's name or of its beginning */
  const char *path;
};

/** All zero is empty. */
struct file_tree {
  struct file_tree_row *rows;
  size_t n_rows, max_rows;
};

/**
 * Arrange files.
 *
 * files    sorted: within each folder the folders first, then by name.
 * names    of files, by their numbers; lent.
 * changed  lines that are new.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int file_tree_build(const struct annotate_file *const *files, size_t n_files,
                    char *const *names, const struct changed_files *changed,
                    struct file_tree *out, struct err *err);

/** Compare names of files in that order. */
int file_tree_compare(const char *left, const char *right);

/** Free; an empty one may be released too. */
void file_tree_release(struct file_tree *tree);

#endif
