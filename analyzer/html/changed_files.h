/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Counts the lines of files that are new since a revision, and finds them for
 * marks on pages. Pure: no I/O.
 */
#ifndef ARCLINE_CHANGED_FILES_H
#define ARCLINE_CHANGED_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct changed_lines;
struct err;
struct line_counts;

/** Lines of a file that are new. */
struct changed_file {
  long i_path;                /* of changed_lines */
  size_t n_lines, n_executed; /* that have code */
};

/** All zero: no revision was given. */
struct changed_files {
  const struct changed_lines *lines;
  struct changed_file *files; /* by number */
  size_t n_files;
};

/**
 * Count them.
 *
 * lines  borrowed until release; NULL: *out is empty.
 * names  of files, by number.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int changed_files_build(const struct changed_lines *lines,
                        const struct line_counts *counts, char *const *names,
                        size_t n_files, struct changed_files *out,
                        struct err *err);

/** Is a line of a file new? */
bool changed_files_have(const struct changed_files *changed, uint32_t i_file,
                        uint32_t line);

/** Free; an empty one may be released too. */
void changed_files_release(struct changed_files *changed);

#endif
