/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * Compares two profiles, of one program or of two builds of it: by function, by
 * line, by call. Counts are exact, so any difference is real; sampled times
 * have the error that is likely by chance.
 *
 * Functions are matched by name, lines by their text.
 */
#ifndef ARCLINE_DIFF_H
#define ARCLINE_DIFF_H

#include "diff/diff_coverage.h"
#include "diff/diff_side.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct changed_lines;
struct err;
struct source_paths;
struct source_root;

enum { DIFF_A, DIFF_B, DIFF_SIDES };

/** A sampled time: with a probability of 95 %, no function's is further off
 * than that, of all functions together. */
struct diff_time {
  double time; /* in units */
  double error;
};

/** A function of either side. */
struct diff_func {
  const char *name;    /* linkage name */
  const char *file;    /* of its definition; or NULL */
  const char *program; /* if several have it in such a file; otherwise NULL */
  uint32_t line;
  int i_side; /* whose file and line that is */
  uint64_t calls[DIFF_SIDES];
  struct diff_time self[DIFF_SIDES];
  struct diff_time total[DIFF_SIDES]; /* inclusive */
  bool is_estimate[DIFF_SIDES];       /* total, though diff.is_measured */
};

/** An object outside of counted code: a library, the kernel. */
struct diff_object {
  const char *name; /* libc.so.6; <kernel> */
  struct diff_time self[DIFF_SIDES];
};

/** A source file of either side. */
struct diff_file {
  const char *name[DIFF_SIDES]; /* NULL: that side has none */
  uint32_t *twins;   /* [line of A]: B's, or 0; NULL: no text of A but B's */
  size_t n_twins;    /* lines of A, from 1 */
  size_t first_line; /* of diff.lines */
  size_t end_line;   /* after the last one */
};

/** A line of code of either side, or of both. */
struct diff_line {
  uint32_t i_file;
  uint32_t line[DIFF_SIDES]; /* 0: that side has none that is the same */
  uint64_t count[DIFF_SIDES];
};

/** All calls from one function to another. */
struct diff_call {
  const char *caller; /* linkage name; "": unknown */
  const char *file;   /* of the caller; NULL: no others have its name */
  const char *callee; /* linkage name; "": unknown, of indirect calls */
  uint64_t count[DIFF_SIDES];
};

/** All zero is empty. Names are those of the sides. */
struct diff {
  size_t n_sides;                 /* 1: there is no B, A is all there is */
  const struct source_root *root; /* of the last side's files; or NULL */
  const char *unit;               /* of time: "seconds" */
  double time[DIFF_SIDES];
  bool has_time[DIFF_SIDES], has_counts[DIFF_SIDES];
  bool is_of_changes; /* coverage is of changed lines only */
  bool is_measured;   /* total is from call stacks, not propagated */
  uint64_t n_calls[DIFF_SIDES];
  struct diff_coverage covered[DIFF_SIDES][N_COVERED]; /* or changed lines */
  struct diff_coverage all[N_COVERED]; /* of the last side, with other lines */
  struct diff_covered_list covered_files;   /* by name */
  struct diff_covered_list covered_folders; /* of these alone, not below */
  struct diff_covered_list covered_funcs;
  struct diff_func *funcs; /* by name */
  size_t n_funcs, max_funcs;
  struct diff_object *objects; /* by name */
  size_t n_objects, max_objects;
  struct diff_file *files;
  size_t n_files, max_files;
  struct diff_line *lines; /* of a file: in A's order, then B's alone */
  size_t n_lines, max_lines;
  size_t n_unmatched; /* lines of A that B has not */
  struct diff_call *calls;
  size_t n_calls_rows, max_calls;
  struct diff_uncovered *uncovered; /* of the last side; with changed lines */
  size_t n_uncovered, max_uncovered;
};

/** Options of the comparison. */
struct diff_options {
  const char *const *files; /* patterns of source files; none: those that the */
  size_t n_files;           /* filter has */
  const struct source_filter *filters[DIFF_SIDES]; /* of the sides' lines */
  const struct source_paths *sources[DIFF_SIDES];
  const struct changed_lines *changed; /* coverage is of these; or NULL */
};

/**
 * Compare.
 *
 * sides  DIFF_SIDES of them, or one and n_sides 1; borrowed by *out.
 *
 * Returns 0; or -1 with *err set and *out empty.
 * Owns:   caller calls diff_release(out).
 * Errors: samples of different units; no memory.
 */
int diff_build(const struct diff_side *sides, size_t n_sides,
               const struct diff_options *options, struct diff *out,
               struct err *err);

/** Compare functions alone, which is all that diff_side_open_functions() has. A
 * side may be empty. */
int diff_build_functions(const struct diff_side *sides, struct diff *out,
                         struct err *err);

/** Name of a file: B's, if B has it. */
static inline const char *diff_file_name(const struct diff_file *file) {
  return file->name[file->name[DIFF_B] ? DIFF_B : DIFF_A];
}

/** Is the difference of a sampled time more than chance? */
bool diff_is_change(const struct diff_time *times);

/** Free; an empty one may be released too. */
void diff_release(struct diff *diff);

#endif
