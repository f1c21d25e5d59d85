/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Removes lines, functions and branches from coverage: those of functions that
 * the filter excludes by name, and those that comments in the source exclude,
 * as lcov and gcovr define them:
 *
 *   LCOV_EXCL_LINE                    this line
 *   LCOV_EXCL_START, LCOV_EXCL_STOP   the lines from one to before the other
 *   LCOV_EXCL_BR_LINE, _START, _STOP  their branches alone
 *   GCOVR_EXCL_FUNCTION               the function that begins on this line
 *
 * LCOV, LCOVR, GCOV and GCOVR mean the same; UNREACHABLE is as EXCL. Calls,
 * times and counts of entries in listings stay. A project may have markers of
 * its own (source_markers.h).
 */
#ifndef ARCLINE_EXCLUDED_LINES_H
#define ARCLINE_EXCLUDED_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct branch_counts;
struct err;
struct file_table;
struct line_counts;
struct source_filter;
struct source_funcs;
struct source_markers;
struct source_paths;
struct source_text;

enum excluded_flag {
  EXCLUDED_LINE = 1 << 0,     /* with its branches */
  EXCLUDED_BRANCHES = 1 << 1, /* alone */
  EXCLUDED_FUNC = 1 << 2,     /* begins here */
  EXCLUDED_BY_NAME = 1 << 3,  /* of a function that the filter excludes */
};

/** Code that is in no total of coverage. */
struct excluded {
  struct excluded_counts {
    size_t n_lines, n_funcs;
    size_t n_ways; /* of branches */
  } by_comments, by_names;
  size_t n_sources;   /* files whose comments were searched */
  size_t n_unread;    /* those of them that cannot be read */
  const char *unread; /* the first one; borrowed from the table of files */
};

enum { EXCLUDED_TEXT_BYTES = 128 };

/** Format the counts that are not 0: "1 line, 2 branches". Returns false if
 * nothing is excluded. */
bool excluded_counts_format(const struct excluded_counts *counts,
                            char text[EXCLUDED_TEXT_BYTES]);

/**
 * Mark the lines of a text.
 *
 * name  of the file: markers without a partner are reported with their line.
 * out   for lines from 1, n_lines + 1 of enum excluded_flag; NULL if there are
 *       no markers.
 *
 * Returns 0; or -1 with *err set (no memory).
 * Owns:   caller frees *out.
 */
int excluded_lines_mark(const struct source_text *text, const char *name,
                        const struct source_markers *own, uint8_t **out,
                        struct err *err);

/**
 * Remove code that comments exclude, in all files that the filter has, and code
 * of functions that it excludes.
 *
 * branches  may be empty. Indices of ways stay as they are.
 * out       numbers are added.
 *
 * A file that cannot be read has no comments.
 * Returns 0; or -1 with *err set (no memory).
 */
int excluded_lines_remove(const struct source_filter *filter,
                          const struct source_paths *paths,
                          const struct file_table *files,
                          struct line_counts *counts,
                          struct source_funcs *funcs,
                          struct branch_counts *branches, struct excluded *out,
                          struct err *err);

#endif
