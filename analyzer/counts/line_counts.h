/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Counts source lines, by flow graphs. A line's count is the number of times
 * that control entered it, by gcov's rule: all basic blocks of one line in a
 * function are one set; an entry into the set counts, and so does each
 * iteration of a loop that is on the line entirely. A line outside of the
 * function's text (initial values of members, included text) is entered again
 * after each code of that text. Counts of several functions
 * (or instances of a template) that share a line add up, except that making a
 * closure is no execution of the line where its lambda begins.
 *
 * Pure: no I/O.
 */
#ifndef ARCLINE_LINE_COUNTS_H
#define ARCLINE_LINE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counts/flow_data.h"

struct err;

/** A line that has code. */
struct line_count {
  struct flow_line pos;
  uint64_t count;
};

/** Calls of one callee from one line. */
struct line_call {
  struct flow_line pos;
  const char *callee; /* linkage name; "": all indirect calls */
  uint64_t count;
};

/** Functions that are defined on one line under one name. */
struct line_func {
  struct flow_line pos;
  uint32_t last_line; /* last line of its code in that file; 0: unknown */
  const char *name;   /* linkage name */
  uint64_t n_entries;
  uint32_t n_blocks, n_run_blocks; /* of its flow graph; 0: has none */
  bool is_made, is_delegate;       /* as flow_data.h has it */
};

/** Has the source a function whose code this is? */
static inline bool line_func_is_of_source(const struct line_func *func) {
  return !func->is_made && !func->is_delegate;
}

/**
 * Counts of source lines, each array in order of file and line; then calls by
 * callee, functions by name. All zero is empty.
 */
struct line_counts {
  struct line_count *lines;
  size_t n_lines;
  struct line_call *calls; /* also those never made */
  size_t n_calls;
  struct line_func *funcs;
  size_t n_funcs;
};

/** The part of a line's count from one function, or one instance of a
 * template. */
struct line_instance {
  struct flow_line pos;
  const char *name; /* linkage name */
  uint64_t count;
};

/** In order of file, line and name. All zero is empty. */
struct line_instances {
  struct line_instance *lines;
  size_t n_lines;
};

/**
 * Compute the counts of all lines.
 *
 * flow       solved; lends the strings and the numbers of files.
 * instances  the same counts by function, of lines that belong to several
 *            functions of different names; NULL: not wanted.
 *
 * Returns 0; or -1 with *err set (no memory), *out and *instances empty.
 * Owns:   caller releases *out and *instances.
 */
int line_counts_build(const struct flow_data *flow, struct line_counts *out,
                      struct line_instances *instances, struct err *err);

/** Free; an empty one may be released too. */
void line_instances_release(struct line_instances *instances);

/** Ways to join several counts of one line. */
enum line_counts_join {
  LINE_COUNTS_SUM,
  LINE_COUNTS_MAX,
};

/**
 * Sort all arrays and join equal lines, calls and functions. For callers that
 * fill the arrays themselves.
 *
 * how  of lines; calls and functions always add up.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int line_counts_join(struct line_counts *counts, enum line_counts_join how,
                     struct err *err);

/**
 * Add the lines, calls and functions of another part of the program.
 *
 * Returns 0, or -1 with *err set (no memory).
 */
int line_counts_add(struct line_counts *counts, const struct line_counts *more,
                    struct err *err);

/** Free; an empty one may be released too. */
void line_counts_release(struct line_counts *counts);

#endif
