/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Maps measures of addresses to source lines, by the image's line table: always
 * self time; also counts, if the image has no flow graphs (line_counts.h is the
 * exact way).
 */
#ifndef ARCLINE_CODE_LINES_H
#define ARCLINE_CODE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "counts/flow_data.h"

struct err;
struct file_table;
struct line_counts;
struct lines;
struct measure;
struct symtab;

/** Self time of a line. */
struct line_time {
  struct flow_line pos;
  double n_samples;
};

/** Self time of all lines that have some, in order of file and line. All zero
 * is empty. */
struct line_times {
  struct line_time *lines;
  size_t n_lines, max_lines;
  double n_samples;      /* all there are */
  double n_samples_lost; /* of these, in code without a line */
};

/** Line tables, with their files numbered as in a file table. */
struct code_lines {
  struct lines *lines;
  struct file_table *files;
  uint32_t *file_map; /* private: number + 1 by index of lines; 0: not yet */
  size_t n_file_map;
};

/**
 * Find the line of an address.
 *
 * out   line 0 if there is none.
 * func  innermost function there, or NULL; may be NULL itself.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int code_lines_find(struct code_lines *code, uint64_t vaddr,
                    struct flow_line *out, const char **func, struct err *err);

/**
 * Spread samples over lines, and add that to out. A bin that covers several
 * lines is shared among them in proportion to their bytes.
 *
 * Returns 0; or -1 with *err set (no memory).
 * Owns:   caller releases *out, after an error, too.
 */
int code_lines_add_times(struct code_lines *code, const struct measure *measure,
                         struct line_times *out, struct err *err);

/** Free; an empty one may be released too. */
void line_times_release(struct line_times *times);

/**
 * Make up line counts from counts of addresses: a line's count is the largest
 * of its blocks, its calls are the arcs that leave it, and functions are those
 * that were called or have a block.
 *
 * symtab  lends the names of functions.
 *
 * Returns 0; or -1 with *err set (no memory) and *out empty.
 * Owns:   caller releases *out.
 */
int code_lines_counts(struct code_lines *code, const struct measure *measure,
                      const struct symtab *symtab, struct line_counts *out,
                      struct err *err);

/** Free the cache of look-ups; the lines and the files stay. */
void code_lines_release(struct code_lines *code);

#endif
