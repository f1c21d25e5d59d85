/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * What was measured, per address: the sum of any number of gmon files before
 * symbols or lines come into it.
 */
#ifndef ARCLINE_MEASURE_H
#define ARCLINE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arcline/gmon_format.h"

struct err;
struct gmon_reader;

/** Timer samples that fell into [low, high). */
struct measure_sample {
  uint64_t low;
  uint64_t high; /* above low */
  uint64_t count;
};

/** The count of an address: a block or a counter. */
struct measure_block {
  uint64_t vaddr;
  uint64_t count;
};

struct measure_arc {
  uint64_t from_vaddr; /* inside of the call; 0: not known */
  uint64_t self_vaddr;
  uint64_t count;
};

/** All zero is empty. */
struct measure {
  /* In order of address once measure_finish() was called, no two equal. */
  struct measure_sample *samples; /* count is not 0 */
  size_t n_samples, max_samples;
  struct measure_block *blocks; /* count may be 0 */
  size_t n_blocks, max_blocks;
  struct measure_arc *arcs; /* by from, then self */
  size_t n_arcs, max_arcs;

  bool has_histogram; /* then the next three are set */
  uint32_t rate_hz;   /* 0: not known */
  char dimension[GMON_DIMENSION_BYTES + 1];
  char abbreviation;
};

/**
 * Add all records of a gmon file.
 *
 * reader  at the start of its file.
 *
 * Returns 0; or -1 with *err set.
 * Errors: those of the reader; histograms of different rate or unit; memory.
 */
int measure_add(struct measure *measure, struct gmon_reader *reader,
                struct err *err);

/** Sort and join. After the last measure_add(). Returns 0 or -1 (no memory). */
int measure_finish(struct measure *measure, struct err *err);

/** Free; an empty one may be released too. */
void measure_release(struct measure *measure);

#endif
