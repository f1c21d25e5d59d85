/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Iterates over the lines of a source file, each with its counts, calls,
 * functions, times, instances, branches and decisions.
 */
#ifndef ARCLINE_LINE_CURSOR_H
#define ARCLINE_LINE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct branch_counts;
struct line_counts;
struct line_instances;
struct line_times;

/** Parts of arrays: those of a file, or of a line. */
struct line_stretch {
  size_t first_line, end_line; /* of line_counts; the next two, too */
  size_t first_call, end_call;
  size_t first_func, end_func;
  size_t first_time, end_time;
  size_t first_instance, end_instance;
  size_t first_branch, end_branch;
  size_t first_decision, end_decision; /* of branch_counts, too */
};

/** A place in a file. The first six are set by the caller, and borrowed. */
struct line_cursor {
  const struct line_counts *counts;
  const struct line_times *times;
  const struct line_instances *instances;
  const struct branch_counts *branches;
  struct line_stretch rest; /* at first all of the file */
  uint32_t n_lines;         /* of the text; 0: unknown */
  uint32_t line;            /* private: the present one; 0: none yet */
};

/** Data of a line. */
struct line_facts {
  uint32_t line;
  bool has_count;
  uint64_t count;
  double n_samples;
  struct line_stretch at;
};

/** Go to the next line: of the text, or after its end the next one with any
 * data. Returns false at the end. */
bool line_cursor_next(struct line_cursor *cursor, struct line_facts *out);

#endif
