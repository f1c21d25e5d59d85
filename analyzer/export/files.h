/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Lists lines, functions and branches file by file, for formats that consist of
 * files.
 */
#ifndef ARCLINE_EXPORT_FILES_H
#define ARCLINE_EXPORT_FILES_H

#include <stddef.h>

struct branch_block;
struct err;
struct export_input;
struct line_count;
struct source_func;

/** A function, by names that are unique in its file. Equal ones, as of a source
 * that was built in different ways, get their line appended. */
struct export_func {
  const struct source_func *func;
  char *name;      /* linkage name; of a template, as the source has it */
  char *demangled; /* for readers; of a template, the same as name */
};

/** A file's stretches of the arrays, which are sorted by file. */
struct export_file {
  const char *name;
  const char *short_name; /* from the root; the same as name if it is outside */
  const struct line_count *lines, *end_lines; /* at least one */
  struct export_func *funcs, *end_funcs;
  const struct branch_block *blocks, *end_blocks;
};

/** Their number, and the number that were run. */
struct export_totals {
  size_t n_lines, n_run_lines;
  size_t n_funcs, n_run_funcs;
  size_t n_ways, n_taken_ways; /* of branches */
};

/** All zero is empty. */
struct export_files {
  struct export_file *files;
  size_t n_files;
  struct export_func *funcs; /* of all files */
  size_t n_funcs;
  char *root; /* of the project, or else the working directory; absolute */
};

/**
 * List the files that have lines, in order of name; those that the
 * filter of the model has.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int export_files_list(const struct export_input *input,
                      struct export_files *out, struct err *err);

/** Add a file's numbers to totals. */
void export_files_count(const struct export_input *input,
                        const struct export_file *file,
                        struct export_totals *totals);

/** Free; an empty one may be released too. */
void export_files_release(struct export_files *files);

#endif
