/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Private to this folder: the lines of side files, in memory. */
#ifndef ARCLINE_SUM_SIDE_LINES_H
#define ARCLINE_SUM_SIDE_LINES_H

#include "sum/side_sum.h"

enum { SIDE_MAX_KEYS = 4, SIDE_MAX_VALUES = 2 };

/** A kind of line: those of equal keys and name are one, with the sum of their
 * values. */
struct side_line_kind {
  const char *word;
  /** A letter per word: o object, x address, s name; v value. */
  const char *fields;
};

/** In the order in which a sum has them; the last one has no word. */
extern const struct side_line_kind sum_side_kinds[];

struct side_line {
  uint32_t i_kind;
  uint64_t keys[SIDE_MAX_KEYS];
  uint64_t values[SIDE_MAX_VALUES];
  struct sum_word name;
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

/** What a file says. */
struct side_lines {
  struct sum_word program, clock; /* clock: all words of it; empty: none */
  uint64_t n_processes;
  struct side_object_line *objects;
  struct side_line *lines;
  struct side_frame *frames; /* callers first */
  size_t n_objects, n_lines, n_frames;
};

static inline bool sum_word_is(struct sum_word word, const char *text) {
  size_t i = 0;

  while (i < word.n && text[i] && word.at[i] == text[i])
    i++;
  return i == word.n && !text[i];
}

/** Returns below, at or above 0. */
int sum_compare_words(struct sum_word a, struct sum_word b);

/** Count the lines of a file: its members n_objects, n_lines and n_frames are
 * then how much room they need at most. */
void sum_side_count(const struct sum_file *file, struct side_lines *out);

/** Read a file into the room that *out has. Returns 0, or -1 with *flaw set. */
int sum_side_read(const struct sum_file *file, size_t i_file,
                  struct side_lines *out, struct sum_flaw *flaw);

#endif
