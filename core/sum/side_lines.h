/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Keeps the lines of side files in memory. Private to this folder. */
#ifndef ARCLINE_SUM_SIDE_LINES_H
#define ARCLINE_SUM_SIDE_LINES_H

#include "sum/side_sum.h"

/** A record of SIDE_SUM_LINES. */
struct side_line {
  const struct side_form *form;
  uint64_t numbers[SIDE_MAX_FIELDS];
  struct side_word name;
};

/** A frame of call stacks. */
struct side_frame {
  struct side_frame *caller; /* or NULL */
  uint64_t i_object, address, n_samples;
  uint32_t depth;
  uint32_t i_sum; /* its number in the sum */
};

struct side_object_line {
  struct sum_object object;
  bool is_first;  /* of its file */
  uint32_t i_sum; /* its number in the sum */
};

/** The contents of a file. */
struct side_lines {
  struct side_word program; /* empty: unknown, like the dimension */
  uint64_t n_processes;
  struct side_word dimension; /* of the clock */
  uint64_t rate_hz;
  struct side_object_line *objects;
  struct side_line *lines;
  struct side_frame *frames; /* callers first */
  size_t n_objects, n_lines, n_frames;
};

/** Returns below, at or above 0. */
int sum_compare_words(struct side_word a, struct side_word b);

/** Count the lines of a file: its members n_objects, n_lines and n_frames are
 * then how much room they need at most. */
void sum_side_count(const struct sum_file *file, struct side_lines *out);

/** Read a file into the room that *out has. Returns 0, or -1 with *flaw set. */
int sum_side_read(const struct sum_file *file, size_t i_file,
                  struct side_lines *out, struct sum_flaw *flaw);

#endif
