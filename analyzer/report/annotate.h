/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints source text with self time, execution counts and calls beside each
 * line. Chooses and sorts the files, prints one at a time and a summary. Does
 * not read source files: the caller passes their text.
 */
#ifndef ARCLINE_ANNOTATE_H
#define ARCLINE_ANNOTATE_H

#include "counts/decision_counts.h"
#include "counts/line_cursor.h"
#include "debug/source_filter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct branch_counts;
struct err;
struct file_table;
struct library_times;
struct line_counts;
struct line_instances;
struct line_times;
struct source_funcs;
struct wanted_func;
struct source_text;

/** The data to print. Everything is borrowed. */
struct annotate_input {
  const struct file_table *files;
  const struct line_counts *counts;
  const struct source_funcs *funcs; /* counted as those of files */
  const struct line_times *times;
  const struct line_instances *instances; /* rows of their own below lines */
  const struct branch_counts *branches;   /* the same; empty: none */
  const struct library_times *libraries;  /* whose samples are in times */
  const struct source_filter *filter;     /* of files */
  const struct excluded *excluded;        /* code that was removed */
  bool has_times;   /* the profile has samples, perhaps none */
  bool has_counts;  /* lines were counted, perhaps all 0 */
  bool is_exact;    /* counts are from flow graphs */
  uint32_t rate_hz; /* samples a second; 0: times are in samples */
};

struct annotate_options {
  const char **files; /* patterns of file names to show; none: all */
  size_t n_files;
  struct wanted_func *funcs; /* functions to show; none: whole files */
  size_t n_funcs;
  bool shows_calls;      /* a row for each callee */
  bool shows_conditions; /* a row for each condition of a decision */
  bool shows_all;        /* also files that never ran, and system headers */
  bool sorts_by_name;
  bool is_colored;
  unsigned width;  /* columns of the terminal; 0: rows are not cut */
  const char *cwd; /* folder removed from the front of names; may be NULL */
};

/** One file and its stretch of the arrays of annotate_input. */
struct annotate_file {
  uint32_t i_file;
  struct line_stretch at;
  size_t n_ways, n_ways_taken; /* of branches */
  struct decision_totals decided;
  double n_samples;
  size_t n_executed;              /* lines of count > 0 */
  size_t n_funcs, n_funcs_called; /* of the source */
  enum source_kind kind;
  bool is_shown;  /* in the table of files */
  bool is_listed; /* and as text: it ran, or was selected */
};

/** Is a file in no total of coverage? */
static inline bool annotate_is_outside(const struct annotate_file *file) {
  return file->kind != SOURCE_OWN;
}

/** Files in the order in which they are shown, hidden ones last. */
struct annotate_list {
  struct annotate_file *files;
  size_t n_files;
  size_t n_shown;
  bool *chosen; /* by index into line_counts.funcs: selected by name */
};

/**
 * Choose and sort files.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller releases *out.
 * Errors: no memory; a name of a file or function that nothing matches.
 */
int annotate_list_build(const struct annotate_input *input,
                        const struct annotate_options *options,
                        struct annotate_list *out, struct err *err);

/** Free; an empty one may be released too. */
void annotate_list_release(struct annotate_list *list);

/** Name of a file as it is shown. */
const char *annotate_file_name(const struct annotate_input *input,
                               const struct annotate_options *options,
                               uint32_t i_file);

/** Begin before the first line of a file. text: NULL: not found. */
struct line_cursor annotate_lines(const struct annotate_input *input,
                                  const struct annotate_file *file,
                                  const struct source_text *text);

/**
 * Print one file.
 *
 * i_file  index into list->files.
 * text  NULL: not found; only lines with numbers are printed then.
 */
void annotate_print_file(const struct annotate_input *input,
                         const struct annotate_options *options,
                         const struct annotate_list *list, size_t i_file,
                         const struct source_text *text, FILE *out);

/** Print a table of all files. */
void annotate_print_summary(const struct annotate_input *input,
                            const struct annotate_options *options,
                            const struct annotate_list *list, FILE *out);

#endif
