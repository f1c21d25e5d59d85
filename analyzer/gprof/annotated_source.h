/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Prints annotated source for `arcline gprof -A`: each line of a file after the
 * counts of the functions and basic blocks that start on it. Same bytes as GNU
 * gprof. Chooses the files; the caller passes their text.
 */
#ifndef ARCLINE_ANNOTATED_SOURCE_H
#define ARCLINE_ANNOTATED_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;
struct profile;
struct source_text;

struct annotated_source_options {
  bool has_zero_rows; /* show files without calls too */
  bool all_lines;     /* label lines in the middle of a block as well */
  uint64_t min_count; /* smaller counts are printed as ##### */
  int table_length;   /* of the list of lines by calls; 0: none */
};

/** A line on which some symbol starts. */
struct annotated_source_line {
  uint32_t line;
  uint32_t n_symbols; /* that start on it */
  size_t i_symbol;    /* the first of them */
  uint64_t calls;     /* of all of them */
};

/** A source file. */
struct annotated_source_file {
  const char *name;                    /* as recorded */
  struct annotated_source_line *lines; /* ascending; part of `lines` below */
  size_t n_lines;
  uint64_t calls;
};

/** All files to show, in the order of the report. All zero is empty. */
struct annotated_source {
  const struct profile *profile;
  struct annotated_source_options options;
  struct annotated_source_file *files;
  size_t n_files;
  struct annotated_source_line *lines;
  uint64_t last_count; /* of the last block printed, in any file */
};

/**
 * Find the files to show: those with calls, and with symbols that the selection
 * ANNO allows.
 *
 * profile  borrowed until annotated_source_release().
 *
 * Returns 0, or -1 with *err set (no memory) and *out empty.
 */
int annotated_source_init(struct annotated_source *out,
                          const struct profile *profile,
                          const struct annotated_source_options *options,
                          struct err *err);

/**
 * Print a file and the summary that follows it.
 *
 * i_file  in ascending order: a count may be carried over.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int annotated_source_print(struct annotated_source *report, size_t i_file,
                           const struct source_text *text, FILE *out,
                           struct err *err);

/** Free; a released report is empty. */
void annotated_source_release(struct annotated_source *report);

#endif
