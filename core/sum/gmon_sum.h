/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** Adds up profiles of one object: gmon files in their sorted form
 * (docs/FORMAT.md, 1.5), whose bytes follow from the sum alone. So the order in
 * which files are added does not matter.
 *
 * Freestanding, like all of this folder, and safe in signal handlers. Files are
 * those of this machine: its byte order, pointers of 8 bytes. They need not be
 * trusted: everything is checked against their size. */
#ifndef ARCLINE_SUM_GMON_SUM_H
#define ARCLINE_SUM_GMON_SUM_H

#include <stddef.h>
#include <stdint.h>

#include "write/sink.h"

/** A file in memory; borrowed. */
struct sum_file {
  const uint8_t *bytes;
  size_t n_bytes;
  /** These are known to be zero, as a histogram without samples is: they need
   * not be read. May be none. */
  const uint8_t *zeros;
  size_t n_zeros;
};

/** The reason for which files cannot be added up. */
enum sum_reason {
  SUM_FINE,
  SUM_NO_MEMORY,
  SUM_NOT_GMON,     /* or of another version; or no side file */
  SUM_MALFORMED,    /* a line of a side file */
  SUM_UNKNOWN,      /* a record of unknown kind */
  SUM_CUT_OFF,      /* ends inside of a record */
  SUM_BAD_RANGE,    /* of a histogram; or its bins are of no whole width */
  SUM_NOT_SORTED,   /* sum_sort() can help */
  SUM_OTHER_IMAGE,  /* the two files are of different objects */
  SUM_OVERLAP,      /* histograms overlap without being equal */
  SUM_OTHER_UNIT,   /* rate or dimension of samples differ */
  SUM_CANNOT_WRITE, /* the sink failed: see its error */
};

/** The reason, with its place. */
struct sum_flaw {
  enum sum_reason reason;
  size_t i_file;   /* in which of the files */
  uint64_t offset; /* of the record */
};

/** An allocator; alloc() returns NULL if out of memory. */
struct sum_memory {
  void *(*alloc)(size_t n_bytes);
  void (*free)(void *memory, size_t n_bytes);
};

/**
 * Add two files in sorted form up, in one pass and without memory. Counts of
 * more than 64 bits stay at the largest, bins at 2^31 - 1
 * (docs/FORMAT.md, 1.2).
 *
 * sink  gets the sum; the end of it stays in the buffer.
 *
 * Returns 0; or -1 with *flaw set, and what the sink got is of no use.
 */
int sum_gmon(const struct sum_file files[2], struct write_sink *sink,
             struct sum_flaw *flaw);

/**
 * Bring a file into sorted form; its records may be in any order.
 *
 * Returns 0; or -1 with *flaw set, and what the sink got is of no use.
 */
int sum_sort(const struct sum_file *file, const struct sum_memory *memory,
             struct write_sink *sink, struct sum_flaw *flaw);

#endif
