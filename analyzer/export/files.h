/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Lists lines, functions and branches file by file, for formats that consist of
 * files.
 */
#ifndef ARCLINE_EXPORT_FILES_H
#define ARCLINE_EXPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct branch_block;
struct decision_count;
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
  size_t n_folder;        /* bytes of that that are the folder's */
  const struct line_count *lines, *end_lines; /* at least one */
  struct export_func *funcs, *end_funcs;
  const struct branch_block *blocks, *end_blocks;
  const struct decision_count *decisions, *end_decisions;
};

/** Their number, and the number that were run. */
struct export_totals {
  size_t n_lines, n_run_lines;
  size_t n_funcs, n_run_funcs;
  size_t n_ways, n_taken_ways;               /* of branches */
  size_t n_conditions, n_covered_conditions; /* MC/DC */
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

/** The same, and hand them to a writer, which returns 0 or -1 with *err set. */
typedef int export_files_writer(const struct export_input *input,
                                struct export_files *files, FILE *out,
                                struct err *err);
int export_files_write(const struct export_input *input,
                       export_files_writer *write, FILE *out, struct err *err);

/** Sort files by folder. Returns 0, or -1 with *err set (no memory). */
int export_files_sort(struct export_files *files, struct err *err);

/** Index after the last file of the folder that file i is in. Sorted. */
size_t export_files_folder_end(const struct export_files *files, size_t i);

/** Seconds since 1970: now, or the time that reproducible builds set. */
uint64_t export_files_time(void);

/** Totals of adjacent files. */
struct export_totals export_files_count(const struct export_input *input,
                                        const struct export_file *files,
                                        size_t n_files);

/** The part of a file's name after its folder. Sorted or not. */
const char *export_file_base_name(const struct export_file *file);

/** Add the lines and ways that a function's first and last line enclose. */
void export_files_count_func(const struct export_input *input,
                             const struct export_file *file,
                             const struct export_func *func,
                             struct export_totals *totals);

/** A line with its branches. */
struct export_line {
  uint32_t number;
  uint64_t count;
  const struct branch_block *blocks, *end_blocks;
  size_t n_ways, n_taken_ways;
};

/** Reading position in a file. */
struct export_lines {
  const struct export_input *input;
  const struct line_count *line, *end;
  const struct branch_block *block, *end_block;
};

/** Begin before the first line of a file. */
struct export_lines export_lines_begin(const struct export_input *input,
                                       const struct export_file *file);

/** Read a line. Returns false after the last one. */
bool export_lines_next(struct export_lines *lines, struct export_line *out);

/** Free; an empty one may be released too. */
void export_files_release(struct export_files *files);

#endif
